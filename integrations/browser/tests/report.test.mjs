// The report, opened from disk as whoever was sent it opens it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, watched } from "../lib/browser.mjs";
import { lookFaults } from "../lib/look.mjs";
import { textsPerPage } from "../lib/pdf.mjs";
import { DIFFERENCE } from "../lib/views.mjs";
import { lines, screens, shown } from "../lib/work.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** The page, and a promise that nothing was wrong with it. */
const opened = async (of, options) => {
  const seen = await watched(browser, options);
  const address = pathToFileURL(of.report).href;
  await seen.page.goto(address, { waitUntil: "load" });
  const sound = () => {
    assert.deepEqual(seen.faults, []);
    const elsewhere = seen.asked.filter((asked) => asked.split("#")[0] !== address);
    assert.deepEqual(elsewhere, [], "nothing but the file itself is asked for");
  };
  return { ...seen, sound };
};

/** Items of the list of queries: those that can be seen. */
const LIST = "form.filters[data-list]";
const visible = (page) =>
  page.evaluate((form) => {
    const list = document.getElementById(document.querySelector(form).dataset.list);
    return Array.from(list.children).filter((item) => item.checkVisibility()).length;
  }, LIST);

/** What the list says of itself: `[shown, all]`. */
const count = async (page) => {
  await page.waitForTimeout(150);
  const said = await page.locator(`${LIST} output`).innerText();
  return Array.from(said.matchAll(/\d[\d,]*/g), (m) => Number(m[0].replaceAll(",", ""))).slice(0, 2);
};

for (const of of shown()) {
  describe(`report, ${of.name}`, () => {
    const queries = lines(of, "queries.jsonl");
    const outcomes = lines(of, "per-query.jsonl");
    const results = lines(of, "results.json")[0];
    const main = (page) => page.locator("table.sortable").first();

    test("is one sound file with every system in its table", async (t) => {
      const bytes = statSync(of.report).size;
      t.diagnostic(`${(bytes / 1e6).toFixed(2)} MB`);
      assert.ok(bytes < 3e6, `${bytes} bytes`);
      const { page, sound, close } = await opened(of);
      assert.ok((await page.title()).length > 3);
      assert.equal(await page.locator("h1").count(), 1);
      const heads = await main(page).locator("tbody th").allInnerTexts();
      for (const { name } of results.systems) assert.ok(heads.some((head) => head.includes(name)), `${name} is not in ${heads}`);
      assert.ok(results.systems.length > 3);
      assert.ok((await page.locator("svg[role=img]").count()) > 3, "charts are there");
      const text = await page.locator("main").innerText();
      assert.ok(text.includes(results.data.fingerprint.slice(0, 12)), "the data set is named by its fingerprint");
      sound();
      await close();
    });

    test("its tables are ordered by their heads", async () => {
      const { page, sound, close } = await opened(of);
      const table = main(page);
      const order = () => table.locator("tbody th").allInnerTexts();
      const first = await order();
      const buttons = table.locator("thead th button");
      const columns = await buttons.count();
      assert.ok(columns > 3, `${columns} columns to sort by`);
      let moved = 0;
      for (let i = 0; i < columns; i += 1) {
        const button = buttons.nth(i);
        const head = button.locator("xpath=ancestor::th");
        await button.focus();
        for (const key of ["Enter", "Space"]) {
          await page.keyboard.press(key);
          const way = await head.getAttribute("aria-sort");
          assert.ok(["ascending", "descending"].includes(way));
          assert.equal(await table.locator("th[aria-sort]").count(), 1, "one column at a time");
          const column = await head.evaluate((th) => th.cellIndex);
          const kind = await head.getAttribute("data-sort");
          if (kind === "number") {
            const values = await table.locator("tbody tr").evaluateAll((rows, c) => rows.map((r) => r.cells[c].dataset.value ?? r.cells[c].textContent), column);
            const numbers = values.map((v) => Number.parseFloat(v));
            const known = numbers.filter((v) => !Number.isNaN(v));
            const wanted = known.toSorted((a, b) => (way === "ascending" ? a - b : b - a));
            assert.deepEqual(known, wanted, `column ${column} ${way}`);
            assert.ok(numbers.slice(known.length).every(Number.isNaN), "cells without a number are last");
          }
          const now = await order();
          assert.deepEqual(now.toSorted(), first.toSorted(), "no row is lost");
          moved += now.join("\n") === first.join("\n") ? 0 : 1;
        }
      }
      assert.ok(moved > columns, `${moved} of ${2 * columns} orders differ from the first`);
      sound();
      await close();
    });

    test("its list of queries is filtered", async () => {
      const { page, sound, close } = await opened(of);
      const all = queries.length;
      assert.deepEqual(await count(page), [all, all]);
      assert.equal(await visible(page), all);
      const form = page.locator(LIST);
      const agree = async (what) => {
        const [told, of] = await count(page);
        assert.equal(of, all);
        assert.equal(await visible(page), told, what);
        return told;
      };

      // By a word that some queries have and others have not.
      const words = queries.map((q) => new Set(q.text.toLowerCase().match(/[a-z]{4,}/g)));
      const word = Array.from(words[0]).find((w) => !words.every((of) => of.has(w)));
      const text = form.locator("[data-filter=text]");
      await text.fill(word);
      const by = await agree(`by ${word}`);
      assert.ok(by > 0 && by < all, `${by} of ${all} by ${word}`);
      await text.fill("zzzz no such words");
      assert.equal(await agree("by nothing"), 0);
      await text.fill("");
      assert.equal(await agree("by none"), all);

      // By every choice that is offered.
      const facts = new Set(queries.map((q) => q.fact));
      const chosen = { fact: 0, failed: 0 };
      for (const select of await form.locator("select[data-filter]").all()) {
        const key = await select.getAttribute("data-filter");
        for (const option of await select.locator("option").all()) {
          const value = await option.getAttribute("value");
          if (!value) continue;
          await select.selectOption(value);
          const told = await agree(`${key} ${value}`);
          if (key === "fact") {
            const label = (await option.innerText()).replace(/ \(\d+\)$/, "");
            const fact = facts.has(value) ? value : label;
            assert.equal(told, queries.filter((q) => q.fact === fact).length, `${key} ${fact}`);
            chosen.fact += 1;
          } else if (key.startsWith("fail")) {
            chosen.failed += told < all ? 1 : 0;
          }
        }
        await select.selectOption("");
      }
      assert.equal(chosen.fact, facts.size);
      assert.ok(chosen.failed > 0, "some system fails at some queries and not at others");
      assert.equal(await agree("by none"), all);
      sound();
      await close();
    });

    test("a failed query opens by keyboard and shows gold and impostor word by word", async () => {
      const { page, sound, close } = await opened(of);
      const failed = outcomes.filter((o) => o.rivals_above > 0).map((o) => o.query);
      assert.ok(failed.length > 0);
      const list = await page.locator(LIST).getAttribute("data-list");
      const item = page.locator(`[id="${list}"] > *`, { has: page.locator(DIFFERENCE) }).first();
      const summary = item.locator("summary").first();
      // From the control before it, as somebody without a mouse comes.
      await summary.evaluate((element) => {
        const all = Array.from(document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")).filter((e) => e.checkVisibility());
        all[all.indexOf(element) - 1].focus();
      });
      await page.keyboard.press("Tab");
      assert.ok(await summary.evaluate((element) => element === document.activeElement), "Tab reaches it");
      assert.equal(await item.locator("details").first().evaluate((d) => d.open), false);
      await page.keyboard.press("Enter");
      assert.equal(await item.locator("details").first().evaluate((d) => d.open), true);
      assert.ok(await item.locator(DIFFERENCE).first().isVisible(), "the difference shows");
      assert.ok(await item.locator(".gold").first().isVisible(), "the gold shows");
      assert.ok(await item.locator(".rival").first().isVisible(), "the impostor shows");
      const ring = await summary.evaluate((element) => getComputedStyle(element).outlineStyle);
      assert.notEqual(ring, "none", "the focus is seen");
      assert.deepEqual(await lookFaults(page), []);
      sound();
      await close();
    });

    test("is whole without script", async () => {
      const { page, sound, close } = await opened(of, { script: false });
      assert.equal(await page.locator(LIST).isVisible(), false, "nothing to press that would do nothing");
      assert.equal(await page.locator("th button").count(), 0);
      const list = await page.locator(LIST).getAttribute("data-list");
      assert.equal(await page.locator(`[id="${list}"] > *`).count(), queries.length);
      const item = page.locator(`[id="${list}"] > *`, { has: page.locator(DIFFERENCE) }).first();
      await item.locator("summary").first().click();
      assert.ok(await item.locator(DIFFERENCE).first().isVisible());
      sound();
      await close();
    });

    test("prints without empty pages", async (t) => {
      const { page, sound, close } = await opened(of);
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true, printBackground: true });
      writeFileSync(join(screens(), `report-${of.name}.pdf`), pdf);
      const texts = textsPerPage(pdf);
      t.diagnostic(`${texts.length} pages`);
      assert.ok(texts.length > 1);
      assert.deepEqual(texts.flatMap((n, i) => (n > 0 ? [] : [i + 1])), [], "empty pages");
      sound();
      await close();
    });

    for (const width of [390, 768, 1280]) {
      test(`has no text over text, cut or small, and does not scroll sideways at ${width} px`, async () => {
        const { page, sound, close } = await opened(of, { width });
        assert.deepEqual(await lookFaults(page), []);
        sound();
        await close();
      });
    }
  });
}
