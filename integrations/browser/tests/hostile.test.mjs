// Strangers' texts stay texts: nothing of theirs runs, loads, links, covers or leaves, in the report and in the explorer.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, watched } from "../lib/browser.mjs";
import { parse } from "../lib/csv.mjs";
import { serve } from "../lib/explorer.mjs";
import { ATTACKS } from "../lib/hostile.mjs";
import { lookFaults } from "../lib/look.mjs";
import { lines, set } from "../lib/work.mjs";

const of = set("hostile");

/** What stands in a page that only a stranger can have put there. */
const strangers = (page) =>
  page.evaluate(() => {
    const found = [];
    if (window.__pwned !== undefined) found.push("a script of theirs ran");
    for (const element of document.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) found.push(`${element.tagName} ${name}`);
        if (["href", "src", "action", "formaction", "xlink:href"].includes(name)) {
          const address = new URL(value, document.baseURI);
          const ours = address.origin === location.origin || address.href.startsWith("https://www.sec.gov/");
          if (!ours || /^(javascript|data|vbscript):/i.test(value.trim())) found.push(`${element.tagName} ${name}=${value}`);
        }
      }
      if (["IFRAME", "OBJECT", "EMBED", "BASE", "IMG", "MATH", "VIDEO", "AUDIO"].includes(element.tagName)) found.push(element.tagName);
    }
    const scripts = Array.from(document.scripts).filter((s) => s.textContent.includes("__pwned"));
    if (scripts.length > 0) found.push("a script element of theirs");
    const styles = Array.from(document.querySelectorAll("style")).filter((s) => s.textContent.includes("evil"));
    if (styles.length > 0) found.push("a style of theirs");
    return found;
  });

/** Tries what a visitor may do: the mouse over everything, every fold open, every control used. */
const touch = async (page) => {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const element of document.querySelectorAll("body *")) {
      for (const kind of ["mouseover", "mouseenter", "focus", "pointerover"]) element.dispatchEvent(new Event(kind, { bubbles: true }));
    }
  });
  for (const button of await page.locator("th button").all()) if (await button.isVisible()) await button.click();
  for (const select of await page.locator("form[data-list] select").all()) {
    for (const option of await select.locator("option").all()) await select.selectOption(await option.getAttribute("value") ?? "");
    await select.selectOption({ index: 0 });
  }
  for (const input of await page.locator("form[data-list] input[data-filter=text]").all()) {
    for (const attack of ATTACKS) await input.fill(attack.replaceAll("\u0000", ""));
    await input.fill("");
  }
  await page.waitForTimeout(150);
};

describe("hostile texts", () => {
  let browser;
  let explorer;
  before(async () => {
    assert.ok(of, "the hostile set is there");
    [browser, explorer] = [await launch(), await serve(of)];
  });
  after(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  const sound = async (seen, allowed = /^$/) => {
    assert.deepEqual(await strangers(seen.page), [], seen.page.url());
    assert.deepEqual(seen.faults.filter((fault) => !allowed.test(fault)), [], seen.page.url());
  };

  for (const script of [true, false]) {
    test(`in the report, ${script ? "with" : "without"} script`, async () => {
      const seen = await watched(browser, { script });
      const address = pathToFileURL(of.report).href;
      await seen.page.goto(address, { waitUntil: "load" });
      if (script) await touch(seen.page);
      await sound(seen);
      assert.deepEqual(seen.asked.filter((asked) => asked.split("#")[0] !== address), []);
      const text = await seen.page.locator("main").evaluate((main) => main.textContent);
      for (const attack of [ATTACKS[0], ATTACKS[1], ATTACKS[2]]) assert.ok(text.includes(attack), `${attack} is read as text`);
      for (const { name } of lines(of, "results.json")[0].systems) assert.ok(text.includes(name), `${name} is read as text`);
      await seen.close();
    });
  }

  test("in every page of the explorer that a link leads to", async (t) => {
    const seen = await watched(browser);
    const [todo, done, tables] = [["/", "/search", "/queries", "/filings"], new Set(), new Set()];
    while (todo.length > 0) {
      const path = todo.shift();
      if (done.has(path) || done.size >= 60) continue;
      done.add(path);
      await seen.page.goto(explorer.url + path, { waitUntil: "load" });
      await touch(seen.page);
      await sound(seen, /503/);
      const links = await seen.page.locator("a[href]").evaluateAll((all) => all.map((a) => a.href));
      for (const link of links.filter((l) => l.startsWith(`${explorer.url}/`)).map((l) => l.slice(explorer.url.length).split("#")[0])) {
        if (/\.csv(\?|$)/.test(link)) tables.add(link);
        else todo.push(link);
      }
    }
    t.diagnostic(`${done.size} pages, ${tables.size} tables`);
    assert.ok(done.size >= 25 && tables.size >= 5);
    for (const path of tables) {
      const response = await fetch(explorer.url + path);
      if (response.status === 503) continue;
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get("content-type"), /^text\/csv/);
      assert.match(response.headers.get("content-disposition"), /^attachment/);
      const rows = parse((await response.text()).replace(/^\ufeff/, ""));
      assert.ok(rows.flat().every((cell) => !/^[=+@\t\r]/.test(cell)), `${path}: no cell is a formula`);
    }
    await seen.close();
  });

  test("in what is asked of the explorer", async () => {
    const seen = await watched(browser);
    for (const attack of ATTACKS) {
      for (const [path, names] of [["/filings", ["q", "sort", "page"]], ["/queries", ["q", "fact", "failed"]], ["/search", ["q", "a", "b", "depth"]], ["/filing", ["id"]]]) {
        const params = new URLSearchParams(names.map((name) => [name, attack]));
        const response = await seen.page.goto(`${explorer.url}${path}?${params}`, { waitUntil: "load" });
        assert.ok(response.status() < 500, `${response.status()} ${seen.page.url()}`);
        await sound(seen, /status: 4|status of 4/);
      }
    }
    await seen.close();
  });

  test("with bm25 and bm25:title, live", async () => {
    const seen = await watched(browser);
    const queries = lines(of, "queries.jsonl");
    for (const { text } of queries.slice(0, 3)) {
      const params = new URLSearchParams({ q: text, a: "bm25", b: "bm25:title" });
      await seen.page.goto(`${explorer.url}/search?${params}`, { waitUntil: "load" });
      await seen.page.locator("ol.hits").nth(1).waitFor({ timeout: 60_000 });
      await sound(seen);
    }
    await seen.close();
  });

  for (const width of [390, 1280]) {
    test(`long words without a blank break no page at ${width} px`, async () => {
      const seen = await watched(browser, { width });
      const pages = [pathToFileURL(of.report).href, ...["/", "/filings", "/filings/0", "/queries", "/queries/0", "/queries/0/rivals"].map((path) => explorer.url + path)];
      for (const address of pages) {
        await seen.page.goto(address, { waitUntil: "load" });
        const faults = await lookFaults(seen.page);
        assert.deepEqual(faults.filter((fault) => /sideways|cut/.test(fault)), [], address);
      }
      await seen.close();
    });
  }
});
