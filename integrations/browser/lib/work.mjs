// Where things are: the program, the data that check.sh made, the place for screenshots.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A variable that check.sh sets. */
const given = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: these tests are run by integrations/browser/check.sh`);
  return resolve(value);
};

/** The program. */
export const program = () => given("BROWSER_BIN");

/** Where screenshots go. */
export const screens = () => given("BROWSER_SCREENS");

/** What there is to look at: a data set, its runs, its report. */
export const sets = () => {
  const root = given("BROWSER_WORK");
  const at = (name) => ({
    name,
    dataset: resolve(root, name, "dataset"),
    runs: resolve(root, name, "runs"),
    report: resolve(root, name, "report.html"),
  });
  return ["demo", "real", "hostile"].map(at).filter((set) => existsSync(set.report));
};

/** One of them; the real one is there only where the filings are. */
export const set = (name) => sets().find((one) => one.name === name);

/** Sets that a person would look at. */
export const shown = () => sets().filter((one) => one.name !== "hostile");

/** The rows of a file of a set's runs: lines of JSON, or one value. */
export const lines = (of, name) => {
  const text = readFileSync(join(of.runs, name), "utf8");
  return name.endsWith(".json") ? [JSON.parse(text)] : text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
};
