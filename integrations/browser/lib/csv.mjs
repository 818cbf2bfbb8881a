// CSV as RFC 4180 has it, read strictly.

/** Rows of cells; an error where the text is no CSV or a row has more or fewer cells than the first. */
export const parse = (text) => {
  const rows = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error("a quote is never closed");
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[(at += 1)];
        else break;
      }
      at += 1;
      if (at < text.length && !",\r\n".includes(text[at])) throw new Error(`${JSON.stringify(text[at])} after a closing quote`);
    } else {
      const end = /[,\r\n]|$/g;
      end.lastIndex = at;
      const stop = end.exec(text).index;
      cell = text.slice(at, stop);
      if (cell.includes('"')) throw new Error(`a quote inside ${cell}`);
      at = stop;
    }
    rows.at(-1).push(cell);
    if (at >= text.length) break;
    if (text[at] === ",") {
      at += 1;
      if (at === text.length) rows.at(-1).push("");
      continue;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (at < text.length) rows.push([]);
  }
  const wrong = rows.findIndex((row) => row.length !== rows[0].length);
  if (wrong >= 0) throw new Error(`row ${wrong + 1} has ${rows[wrong].length} cells, the first has ${rows[0].length}`);
  return rows;
};
