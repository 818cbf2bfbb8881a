// The main views: what is looked at, by axe and by eyes.

import { pathToFileURL } from "node:url";

/** Words in which a sentence and the gold differ, or, where they are hardly alike, those that they share. */
export const DIFFERENCE = "del, ins, mark.same";

/** Opens the first item of the report's list that shows a difference: one that a system failed at. */
const openFailed = async (page) => {
  const list = await page.locator("form.filters[data-list]").getAttribute("data-list");
  const item = page.locator(`[id="${list}"] > *`, { has: page.locator(DIFFERENCE) }).first();
  await item.locator("summary").first().click();
  return item;
};

/** Views of the report; `act` brings one about, and may return the part that is to be seen. */
export const reportViews = (set) => [
  { name: "report", address: pathToFileURL(set.report).href },
  { name: "report-query", address: pathToFileURL(set.report).href, act: openFailed },
];

/** Waits until no system is being prepared any more. */
const answered = async (page) => {
  await page.locator("ol.hits").nth(1).waitFor({ timeout: 90_000 });
};

/** Views of the explorer at `url`; `filing` is the position of a filing with a gold, `query` a query's text. */
export const explorerViews = (url, { filing, query }) => [
  { name: "overview", address: `${url}/` },
  { name: "filings", address: `${url}/filings` },
  { name: "filing", address: `${url}/filings/${filing}` },
  { name: "queries", address: `${url}/queries` },
  { name: "query", address: `${url}/queries/0` },
  { name: "rivals", address: `${url}/queries/0/rivals` },
  { name: "search-form", address: `${url}/search` },
  { name: "search", address: `${url}/search?${new URLSearchParams({ q: query, a: "bm25", b: "bm25:title" })}`, act: answered },
  { name: "scores", address: `${url}/scores` },
  { name: "not-found", address: `${url}/filings/999999` },
];

/** The filing of the first query, and its words. */
export const first = async (url, queries) => {
  const page = await (await fetch(`${url}/queries/0`)).text();
  return { filing: Number(/href="\/filings\/(\d+)/.exec(page)?.[1]), query: queries[0].text };
};
