// Nobody is kept out: axe-core on every main view, light and dark, wide and narrow.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { auditFaults } from "../lib/audit.mjs";
import { launch, watched } from "../lib/browser.mjs";
import { serve } from "../lib/explorer.mjs";
import { explorerViews, first, reportViews } from "../lib/views.mjs";
import { lines, shown } from "../lib/work.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const of of shown()) {
  describe(`accessibility, ${of.name}`, () => {
    let explorer;
    before(async () => (explorer = await serve(of)));
    after(() => explorer?.stop());

    for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 390], ["dark", 390]]) {
      test(`no serious fault, ${scheme}, ${width} px`, async () => {
        const queries = lines(of, "queries.jsonl");
        const views = [...reportViews(of), ...explorerViews(explorer.url, await first(explorer.url, queries))];
        const faults = [];
        for (const { name, address, act } of views) {
          const seen = await watched(browser, { scheme, width, audit: true });
          await seen.page.goto(address, { waitUntil: "load" });
          await act?.(seen.page);
          faults.push(...(await auditFaults(seen.page)).map((fault) => `${name}: ${fault}`));
          await seen.close();
        }
        assert.deepEqual(faults, []);
      });
    }
  });
}
