// Pictures of the main views, to be looked at, and the faults of look that a program finds in them.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { launch, watched } from "../lib/browser.mjs";
import { serve } from "../lib/explorer.mjs";
import { lookFaults } from "../lib/look.mjs";
import { explorerViews, first, reportViews } from "../lib/views.mjs";
import { lines, screens, shown } from "../lib/work.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

for (const of of shown()) {
  describe(`screens, ${of.name}`, () => {
    let explorer;
    before(async () => (explorer = await serve(of)));
    after(() => explorer?.stop());

    for (const width of [1280, 390]) {
      for (const scheme of ["light", "dark"]) {
        test(`${width} px, ${scheme}`, async () => {
          const queries = lines(of, "queries.jsonl");
          const views = [...reportViews(of), ...explorerViews(explorer.url, await first(explorer.url, queries))];
          const faults = [];
          for (const { name, address, act } of views) {
            const seen = await watched(browser, { width, scheme });
            await seen.page.goto(address, { waitUntil: "load" });
            const part = await act?.(seen.page);
            faults.push(...(await lookFaults(seen.page)).map((fault) => `${name}: ${fault}`));
            const path = join(screens(), `${of.name}-${name}-${width}-${scheme}.png`);
            if (part) await part.screenshot({ path });
            else await seen.page.screenshot({ path, fullPage: true });
            await seen.close();
          }
          assert.deepEqual(faults, []);
        });
      }
    }
  });
}
