// Checks that cannot fail prove nothing: each is shown a page with the fault that it is there for, and one without.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { auditFaults } from "../lib/audit.mjs";
import { launch, watched } from "../lib/browser.mjs";
import { parse } from "../lib/csv.mjs";
import { lookFaults } from "../lib/look.mjs";
import { textsPerPage } from "../lib/pdf.mjs";

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), "eightk-browser-"));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page of this body from disk. */
const opened = async (body, options = {}, head = "") => {
  const file = join(folder, "page.html");
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${head}</head><body><main>${body}</main></body></html>`;
  await writeFile(file, html);
  const seen = await watched(browser, options);
  await seen.page.goto(pathToFileURL(file).href, { waitUntil: "load" });
  await seen.page.waitForTimeout(100);
  return seen;
};

const has = (faults, pattern) => assert.ok(faults.some((f) => pattern.test(f)), `no ${pattern} in ${JSON.stringify(faults)}`);

const SOUND = `<h1>Sound</h1><p>Two words, <b>one of them bold</b>.</p>
  <svg viewBox="0 0 200 60" width="200" role="img" aria-label="x"><text x="4" y="20" font-size="13">one</text><text x="90" y="20" font-size="13">two</text></svg>`;

test("a sound page has no fault", async () => {
  const seen = await opened(SOUND, { audit: true });
  assert.deepEqual(seen.faults, []);
  assert.equal(seen.asked.length, 1);
  assert.deepEqual(await lookFaults(seen.page), []);
  assert.deepEqual(await auditFaults(seen.page), []);
  await seen.close();
});

for (const [what, body, pattern, head] of [
  ["a console error", `<script>console.error("broken")</script>`, /console error: broken/],
  ["a console warning", `<script>console.warn("odd")</script>`, /console warning: odd/],
  ["an error of a script", `<script>nothing.there</script>`, /script: .*nothing is not defined/],
  ["a dialog", `<script>alert("hello")</script>`, /dialog: hello/],
  ["a window", `<script>open("about:blank")</script>`, /window/],
  ["a missing picture", `<img alt="" src="missing.png">`, /request failed: .*missing\.png/],
  [
    "a breach of the policy",
    `<script>window.__pwned = 1</script>`,
    /policy: script-src/,
    `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`,
  ],
]) {
  test(`${what} is caught`, async () => {
    const seen = await opened(body, {}, head);
    has(seen.faults, pattern);
    await seen.close();
  });
}

test("a request that leaves is caught", async () => {
  const seen = await opened(`<link rel="stylesheet" href="https://fonts.example/a.css">`);
  assert.ok(seen.asked.some((address) => address.startsWith("https://fonts.example/")));
  await seen.close();
});

for (const [what, body, pattern] of [
  [
    "labels over each other in a chart",
    `<svg viewBox="0 0 200 60" width="200"><text x="4" y="20">label one</text><text x="20" y="24">label two</text></svg>`,
    /text over text/,
  ],
  [
    "slanted labels over each other",
    `<svg viewBox="0 0 200 200" width="200"><text transform="translate(40 150) rotate(-45)">label one</text><text transform="translate(44 152) rotate(-45)">label two</text></svg>`,
    /text over text/,
  ],
  ["paragraphs over each other", `<p>some words here</p><p style="margin-top:-2.2em">other words there</p>`, /text over text/],
  ["a label that leaves its chart", `<svg viewBox="0 0 200 60" width="200"><text x="180" y="20">much too long</text></svg>`, /leaves its chart/],
  ["text cut off", `<p style="width:5em;overflow:hidden;white-space:nowrap">far more than five letters wide</p>`, /cut text/],
  ["small text", `<p style="font-size:9px">tiny</p>`, /small text, 9\.0 px/],
  ["small text in a chart", `<svg viewBox="0 0 1000 60" width="300"><text x="4" y="20" font-size="14">tiny</text></svg>`, /small text, 4\.2 px/],
  ["a page that scrolls sideways", `<table><tr><td style="min-width:1500px">wide</td></tr></table>`, /scrolls sideways.*td/],
]) {
  test(`${what} is caught`, async () => {
    const seen = await opened(body);
    has(await lookFaults(seen.page), pattern);
    await seen.close();
  });
}

test("slanted labels side by side are no fault", async () => {
  const label = (x) => `<text transform="translate(${x} 150) rotate(-45)">a label of some length</text>`;
  const seen = await opened(`<svg viewBox="0 0 300 200" width="300">${[20, 50, 80, 110].map(label).join("")}</svg>`);
  assert.deepEqual(await lookFaults(seen.page), []);
  await seen.close();
});

test("what scrolls in a box, is folded away or is for screen readers alone is no fault", async () => {
  const seen = await opened(`
    <div style="overflow-x:auto;width:300px"><p style="width:2000px">a long line in a box of its own</p></div>
    <p style="margin:0">below it</p>
    <details><summary>folded</summary><p style="margin-top:-2em">hidden under it</p></details>
    <p>a<span style="position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden;white-space:nowrap">heard, not seen</span></p>`);
  assert.deepEqual(await lookFaults(seen.page), []);
  await seen.close();
});

test("what a screen reader cannot read is caught", async () => {
  const seen = await opened(`<h1>x</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><p style="color:#aaa;background:#fff">grey on white</p>`, { audit: true });
  const faults = await auditFaults(seen.page);
  has(faults, /image-alt/);
  has(faults, /color-contrast/);
  await seen.close();
});

test("an empty page of a printed document is seen", async () => {
  const seen = await opened(`<p>first</p><div style="break-before:page;height:1px"></div><p style="break-before:page">third</p>`);
  const texts = textsPerPage(await seen.page.pdf());
  assert.equal(texts.length, 3);
  assert.deepEqual(texts.map((n) => n > 0), [true, false, true]);
  await seen.close();
});

test("tables in text are read strictly", () => {
  assert.deepEqual(parse('a,b\r\n"x, ""y""\nz",\r\n'), [["a", "b"], ['x, "y"\nz', ""]]);
  assert.throws(() => parse("a,b\r\nc\r\n"), /1 cells/);
  assert.throws(() => parse('a\r\n"b'), /never closed/);
  assert.throws(() => parse('a\r\n"b"c'), /after a closing quote/);
});
