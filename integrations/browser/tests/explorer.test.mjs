// The explorer, walked through as somebody would who sees the data set for the first time.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readFileSync } from "node:fs";
import { launch, watched } from "../lib/browser.mjs";
import { parse } from "../lib/csv.mjs";
import { medianTime, serve } from "../lib/explorer.mjs";
import { lookFaults } from "../lib/look.mjs";
import { DIFFERENCE } from "../lib/views.mjs";
import { lines, shown } from "../lib/work.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** How long a page may take to be made, at the median, on a busy machine and in a debug build too. */
const PAGE_MS = 50;
/** How long a system may take to be prepared. */
const PREPARING_MS = 90_000;

for (const of of shown()) {
  describe(`explorer, ${of.name}`, () => {
    const queries = lines(of, "queries.jsonl");
    let explorer;
    before(async () => (explorer = await serve(of)));
    after(() => explorer?.stop());

    /** A page on the explorer, and a promise that nothing was wrong with it. */
    const opened = async (path, options) => {
      const seen = await watched(browser, options);
      await seen.page.goto(explorer.url + path, { waitUntil: "load" });
      const sound = () => {
        assert.deepEqual(seen.faults, []);
        assert.deepEqual(seen.asked.filter((asked) => !asked.startsWith(`${explorer.url}/`)), [], "nothing else is asked for");
      };
      return { ...seen, sound };
    };

    /** The walk: overview, filing, query, rivals, search. The same with script and without. */
    const walk = async (seen) => {
      const { page } = seen;
      const here = () => new URL(page.url()).pathname;
      await page.getByRole("navigation").first().getByRole("link", { name: "Filings" }).click();
      assert.equal(here(), "/filings");
      assert.ok((await page.locator("tbody tr").count()) > 10);

      // A company whose filing answers a query, found by name.
      const gold = await (await fetch(`${explorer.url}/queries/0`)).text();
      assert.match(gold, /href="\/filings\/\d+/);
      const asked = queries[0];
      const filing = lines(of, "filings.jsonl").find((f) => f.filing === asked.filing);
      const company = filing.title.replace(/ 8-K.*$/, "");
      await page.getByRole("searchbox").fill(company);
      await page.getByRole("button", { name: "Show" }).click();
      const rows = page.locator("tbody tr");
      assert.ok((await rows.count()) >= 1 && (await rows.count()) < 10, `${await rows.count()} filings of ${company}`);
      assert.ok(await page.getByRole("searchbox").inputValue().then((v) => v === company), "what was asked for still stands there");
      await rows.filter({ hasText: filing.title }).first().getByRole("link").first().click();
      assert.match(here(), /^\/filings\/\d+$/);

      // The filing: text, marks, what they mean, the original.
      assert.ok((await page.locator("h1").innerText()).includes(company));
      assert.ok((await page.locator(".filing").innerText()).length > 200, "its text is there");
      assert.ok(await page.locator(".legend").isVisible(), "the marks are explained");
      assert.ok((await page.locator(".filing mark.gold").count()) > 0, "the gold is marked");
      assert.ok((await page.locator(".filing .dropped-text").count()) > 0, "dropped sentences are shown");
      const original = page.locator('a[href^="https://www.sec.gov/"]');
      for (const link of await original.all()) {
        const rel = ((await link.getAttribute("rel")) ?? "").split(" ");
        assert.ok(rel.includes("noopener") && rel.includes("noreferrer"), `rel is ${rel}`);
      }

      // From the gold mark to its query.
      await page.locator('.filing .badge.gold a[href^="/queries/"]').first().click();
      assert.match(here(), /^\/queries\/\d+$/);
      const query = Number(here().split("/").pop());
      assert.ok((await page.locator("h1").innerText()).includes(queries[query].text.slice(0, 60)));
      assert.ok(await page.locator(".quote.gold").first().isVisible());
      assert.ok((await page.locator(".quote.rival").count()) > 0);

      // Rivals side by side.
      await page.locator(`a[href^="/queries/${query}/rivals"]:not([href$=".csv"])`).first().click();
      assert.equal(here(), `/queries/${query}/rivals`);
      assert.ok((await page.locator(".rival").count()) > 0);
      assert.ok((await page.locator(DIFFERENCE).count()) > 0, "differences are marked");

      // Back and forward.
      await page.goBack();
      assert.equal(here(), `/queries/${query}`);
      await page.goForward();
      assert.equal(here(), `/queries/${query}/rivals`);
      await page.goBack();
      return query;
    };

    /** Asks two systems for a query; waits while they are prepared. */
    const search = async (seen, query) => {
      const { page } = seen;
      await page.getByRole("navigation").first().getByRole("link", { name: "Search" }).click();
      const form = page.locator("main form");
      await form.getByRole("searchbox").fill(queries[query].text);
      const [a, b] = await form.locator("select").all();
      await a.selectOption("bm25");
      await b.selectOption("bm25:title");
      await form.getByRole("button", { name: "Search" }).click();
      const lists = page.locator("ol.hits");
      const until = Date.now() + PREPARING_MS;
      let waited = 0;
      while ((await lists.count()) < 2) {
        assert.ok(Date.now() < until, `systems are still being prepared: ${await page.locator("main").innerText()}`);
        waited += /being prepared/.test(await page.locator("main").innerText().catch(() => "")) ? 1 : 0;
        await page.waitForTimeout(250);
      }
      for (const list of await lists.all()) {
        assert.ok((await list.locator("> li").count()) >= 10);
        assert.ok((await list.locator("> li.rival").count()) > 0, "rivals are marked");
      }
      assert.equal(await page.locator("ol.hits > li.gold").count().then((n) => n > 0), true, "the gold is marked");
      if ((page.viewportSize()?.width ?? 0) >= 1000) {
        const [left, right] = await lists.evaluateAll((all) => all.map((list) => list.getBoundingClientRect()));
        assert.ok(left.right <= right.left && Math.abs(left.top - right.top) < 60, "one beside the other");
      }
      return waited;
    };

    test("says where it is within seconds", (t) => {
      t.diagnostic(`first line after ${explorer.seconds.toFixed(2)} s`);
      assert.ok(explorer.seconds < 5);
      assert.deepEqual(explorer.said, []);
    });

    test("overview → filing → query → rivals → search", async (t) => {
      const seen = await opened("/");
      const text = await seen.page.locator("main").innerText();
      assert.ok(text.includes(String(queries.length)), "it says how many queries there are");
      const query = await walk(seen);
      const waited = await search(seen, query);
      t.diagnostic(`the page that says “being prepared” was seen ${waited} times`);
      seen.sound();
      await seen.close();
    });

    test("the same without script", async () => {
      const seen = await opened("/", { script: false });
      await search(seen, await walk(seen));
      seen.sound();
      await seen.close();
    });

    test("tables sort where there is script", async () => {
      const seen = await opened("/queries");
      const table = seen.page.locator("table.sortable").first();
      const order = () => table.locator("tbody th").allInnerTexts();
      const first = await order();
      const button = table.locator("thead th button").first();
      await button.click();
      const once = await order();
      await button.click();
      const twice = await order();
      assert.deepEqual(once.toSorted(), first.toSorted());
      assert.notDeepEqual(once, twice);
      seen.sound();
      await seen.close();
    });

    test("queries are filtered by fact and by who failed", async () => {
      const seen = await opened("/queries");
      const { page } = seen;
      const facts = new Map();
      for (const { fact } of queries) facts.set(fact, (facts.get(fact) ?? 0) + 1);
      for (const [fact, n] of facts) {
        await page.getByLabel("Fact", { exact: true }).selectOption(fact);
        await page.getByRole("button", { name: "Show" }).click();
        assert.equal(await page.locator("tbody tr").count(), Math.min(n, 50));
      }
      await page.getByLabel("Fact", { exact: true }).selectOption("");
      await page.getByLabel("Failed by", { exact: true }).selectOption("bm25");
      await page.getByRole("button", { name: "Show" }).click();
      const failed = await page.locator("tbody tr").count();
      assert.ok(failed > 0 && failed <= queries.length);
      seen.sound();
      await seen.close();
    });

    test("every table comes as CSV that parses", async (t) => {
      const seen = await opened("/");
      const { page } = seen;
      const links = await page.locator('a[href$=".csv"]').all();
      assert.ok(links.length >= 3);
      for (const link of links) {
        const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
        const rows = parse(readFileSync(await download.path(), "utf8"));
        assert.ok(rows.length > 1, `${download.suggestedFilename()} has rows`);
        assert.ok(rows.slice(1).flat().every((cell) => !/^[=@\t\r]/.test(cell)), "no cell is a formula");
        t.diagnostic(`${download.suggestedFilename()}: ${rows.length - 1} rows`);
        if (download.suggestedFilename() === "queries.csv") assert.equal(rows.length - 1, queries.length);
      }
      seen.sound();
      await seen.close();
    });

    test("pages are made in a moment", async (t) => {
      const slow = [];
      for (const path of ["/", "/filings", "/filings?q=inc", "/filings/0", "/queries", "/queries/0", "/queries/0/rivals", "/search"]) {
        const ms = await medianTime(explorer.url + path);
        t.diagnostic(`${path}: ${ms.toFixed(1)} ms`);
        if (ms > PAGE_MS) slow.push(`${path}: ${ms.toFixed(1)} ms`);
      }
      assert.deepEqual(slow, []);
    });

    if (of.name === "real") {
      test("filings lead to their originals", async () => {
        const { page, sound, close } = await opened("/filings");
        const paths = await page.locator("tbody th a").evaluateAll((all) => all.slice(0, 20).map((a) => a.pathname));
        let linked = 0;
        for (const path of paths) {
          await page.goto(explorer.url + path, { waitUntil: "load" });
          linked += await page.locator('a[href^="https://www.sec.gov/Archives/edgar/data/"][rel~="noreferrer"]').count();
        }
        assert.ok(linked > 0 && linked <= paths.length, `${linked} of ${paths.length}`);
        sound();
        await close();
      });
    }

    test("a page that is not there says so and leads on", async () => {
      const seen = await opened("/filings/999999");
      assert.ok((await seen.page.locator("main a").count()) > 0);
      assert.deepEqual(seen.faults.filter((fault) => !/404/.test(fault)), []);
      await seen.close();
    });

    for (const width of [390, 768, 1280]) {
      test(`has no text over text, cut or small, and does not scroll sideways at ${width} px`, async () => {
        const seen = await opened("/", { width });
        for (const path of ["/", "/filings", "/filings/0", "/queries", "/queries/0", "/queries/0/rivals", "/search"]) {
          await seen.page.goto(explorer.url + path, { waitUntil: "load" });
          assert.deepEqual(await lookFaults(seen.page), [], path);
        }
        seen.sound();
        await seen.close();
      });
    }
  });
}
