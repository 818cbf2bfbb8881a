// A data set in which every text is an attack: `node hostile.mjs FOLDER`.
//
// Whatever a stranger may write is here: sentences, titles, companies, addresses, ids, queries, facts, reasons. All of it is to be read
// as the text that it is.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is tried. Each would set `window.__pwned`, ask for something, break out of an element or turn a page over. */
export const ATTACKS = [
  `<script>window.__pwned=1</script>`,
  `<img src=x onerror="window.__pwned=1">`,
  `"><svg onload=window.__pwned=1>`,
  `' onmouseover='window.__pwned=1' autofocus onfocus='window.__pwned=1`,
  `</script><script>window.__pwned=1</script>`,
  `</style><style>*{display:none}</style><link rel=stylesheet href=https://evil.example/a.css>`,
  `</title></textarea></select></table><iframe src="javascript:parent.__pwned=1"></iframe>`,
  `<a href="javascript:window.__pwned=1">press</a> <base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/"><form action="https://evil.example/"><button>press</button></form>`,
  `<!-- --!> ]]> <![CDATA[ <math><mtext><style><img src=x onerror=window.__pwned=1></style></mtext></math>`,
  `&lt;script&gt;window.__pwned=1&lt;/script&gt; &#60;img src=x onerror=window.__pwned=1&#62;`,
  `=HYPERLINK("https://evil.example/","x") \u202e gnirts \u202c \u0000 \u001b[31m \ufeff \u200b`,
  `${"W".repeat(400)} ${"\u0301".repeat(60)}`,
];

/** Ids hold no blanks, as runs are lines of words. */
const ID = [
  `<script>window.__pwned=1</script>`,
  `<img/src=x/onerror=window.__pwned=1>`,
  `"><svg/onload=window.__pwned=1>`,
  `../../../../etc/passwd`,
  `javascript:window.__pwned=1`,
  `0000950170-25-000060`,
];

/** Where filings say that they are published. */
const ADDRESS = [
  `javascript:window.__pwned=1`,
  `https://www.sec.gov.evil.example/x`,
  `https://www.sec.gov/"onclick="window.__pwned=1`,
  `data:text/html,<script>window.__pwned=1</script>`,
  `//evil.example/x`,
  `https://www.sec.gov/Archives/edgar/data/12/000095017025000060/a.htm`,
];

/** The rows of each file. */
const rows = () => {
  const [documents, filings, dropped, queries, rivals] = [[], [], [], [], []];
  const golds = [];
  ID.forEach((source_url, n) => {
    const title = `${ATTACKS[n]} ${ATTACKS[(n + 6) % ATTACKS.length]} 8-K 2025-01-0${n + 1}`;
    const sentences = ATTACKS.map((attack, i) => `The Company expects charges of $${n}${i} million for ${attack} and the rest.`);
    let text = "";
    const push = (sentence) => {
      const start = Array.from(text).length;
      text += `${sentence}\n`;
      return [start, start + Array.from(sentence).length];
    };
    const reason = ATTACKS[n];
    const [start, end] = push(`Item 2.05 ${ATTACKS[n]}`);
    dropped.push({ source_url, start, end, reason, text: `Item 2.05 ${ATTACKS[n]}` });
    sentences.forEach((chunk, chunk_idx) => {
      const [chunk_start_char, chunk_end_char] = push(chunk);
      const chunk_id = `${source_url}#s${chunk_start_char}`;
      documents.push({ chunk_id, chunk, source_url, title, chunk_idx, chunk_start_char, chunk_end_char });
      if (chunk_idx === n) golds.push({ chunk_id, chunk, source_url, span: [chunk_start_char, chunk_end_char] });
    });
    const sha256 = createHash("sha256").update(text).digest("hex");
    const company = ATTACKS[(n + 3) % ATTACKS.length];
    filings.push({ source_url, accession: source_url, cik: `1" onclick="window.__pwned=1`, company, title, form: `8-K${ATTACKS[1]}`, filed: `2025-01-0${n + 1}`, items: ["2.05", ATTACKS[0]], url: ADDRESS[n], sha256, text });
  });
  golds.forEach((gold, n) => {
    const asked = `What charges does ${ATTACKS[n]} expect for ${ATTACKS[(n + 7) % ATTACKS.length]}?`;
    const fact = ATTACKS[n % 3];
    const evidence = documents.find((d) => d.source_url === gold.source_url && d.chunk_id !== gold.chunk_id);
    queries.push({
      original_query: `${ATTACKS[1]} ${asked}`,
      query: asked,
      answer: [gold.chunk, evidence.chunk],
      score: [2, 1],
      source_url: [gold.source_url, gold.source_url],
      frag_start_char: [gold.span[0], evidence.chunk_start_char],
      frag_end_char: [gold.span[1], evidence.chunk_end_char],
      n_gold: 2,
      roles: ["answer", "evidence"],
      fact,
    });
    const others = golds.filter((other) => other !== gold).map((other) => other.chunk_id);
    rivals.push({ query: `q${n}`, fact, gold: gold.chunk_id, rivals: others });
  });
  return { documents, queries, filings, "audit/rivals": rivals, "audit/dropped": dropped };
};

const folder = process.argv[2];
if (folder && process.argv[1] === new URL(import.meta.url).pathname) {
  mkdirSync(join(folder, "audit"), { recursive: true });
  for (const [name, of] of Object.entries(rows())) {
    writeFileSync(join(folder, `${name}.jsonl`), of.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}
