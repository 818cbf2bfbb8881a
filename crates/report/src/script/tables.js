// Sorts a table by its head. The heads become buttons here and not in the page: without script there is nothing to press.
const number = (cell) => {
  const value = Number.parseFloat(cell.dataset.value ?? cell.textContent);
  return Number.isNaN(value) ? null : value;
};

const words = new Intl.Collator("en", { numeric: true });

// Cells without a number go last whichever way is up.
const compare = (kind, up) => (a, b) => {
  if (kind === "number") {
    const [x, y] = [number(a.cell), number(b.cell)];
    if (x === null || y === null) return (x === null) - (y === null) || a.place - b.place;
    return (up ? x - y : y - x) || a.place - b.place;
  }
  const order = words.compare(a.cell.dataset.value ?? a.cell.textContent, b.cell.dataset.value ?? b.cell.textContent);
  return (up ? order : -order) || a.place - b.place;
};

const sortBy = (table, head, column) => {
  const kind = head.dataset.sort;
  const now = head.getAttribute("aria-sort");
  const up = now ? now !== "ascending" : kind !== "number";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  for (const body of table.tBodies) {
    const rows = Array.from(body.rows, (row, place) => ({ row, place, cell: row.cells[column] })).filter((r) => r.cell);
    rows.sort(compare(kind, up));
    body.append(...rows.map((r) => r.row));
  }
};

for (const table of document.querySelectorAll("table.sortable")) {
  Array.from(table.tHead?.rows[0]?.cells ?? []).forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, head, column));
    head.append(button);
  });
}
