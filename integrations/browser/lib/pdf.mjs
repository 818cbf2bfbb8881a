// Enough of PDF to tell a page with words from an empty one, as Chromium writes it: plain objects, deflated streams.

import { inflateSync } from "node:zlib";

/** How many times each page shows text, in order of the file. */
export const textsPerPage = (pdf) => {
  const raw = pdf.toString("latin1");
  const bodies = new Map();
  for (const match of raw.matchAll(/(?:^|\n)(\d+) 0 obj\s/g)) bodies.set(match[1], match.index + match[0].length);
  const dictionary = (at) => raw.slice(at, raw.indexOf("endobj", at)).split("stream")[0];
  const stream = (id) => {
    const at = bodies.get(id);
    const from = raw.indexOf("stream", at);
    const start = from + (raw.slice(from, from + 8) === "stream\r\n" ? 8 : 7);
    const length = Number(/\/Length (\d+)(?! \d+ R)/.exec(dictionary(at))?.[1]);
    const bytes = pdf.subarray(start, start + length);
    return (/\/FlateDecode/.test(dictionary(at)) ? inflateSync(bytes) : bytes).toString("latin1");
  };
  const pages = [];
  for (const at of bodies.values()) {
    const of = dictionary(at);
    if (!/\/Type\s*\/Page\b(?!s)/.test(of)) continue;
    const contents = Array.from((/\/Contents\s*(\[[^\]]*\]|\d+ 0 R)/.exec(of)?.[1] ?? "").matchAll(/(\d+) 0 R/g), (m) => m[1]);
    pages.push(contents.reduce((sum, id) => sum + (stream(id).match(/T[jJ]\b/g)?.length ?? 0), 0));
  }
  return pages;
};
