// Filters, orders and opens the items of a list. The form names the list by `data-list`; it is shown only where this runs.
const setUp = (form) => {
  const list = document.getElementById(form.dataset.list);
  if (!list) return;
  const items = Array.from(list.children, (element) => ({ element, text: "" }));
  for (const item of items) {
    const head = item.element.querySelector("summary, .row") ?? item.element;
    item.text = `${head.textContent} ${item.element.dataset.words ?? ""}`.toLowerCase();
  }
  const count = form.querySelector("output");
  const noun = form.dataset.noun ?? "shown";

  // One test per control; a control without a value lets everything pass.
  const tests = () =>
    Array.from(form.querySelectorAll("[data-filter]")).flatMap((control) => {
      const key = control.dataset.filter;
      const value = control.type === "checkbox" ? (control.checked ? control.value : "") : control.value.trim();
      if (value === "") return [];
      if (key === "text") {
        const wanted = value.toLowerCase().split(/\s+/);
        return [(item) => wanted.every((word) => item.text.includes(word))];
      }
      if (control.type === "number") return [(item) => Number(item.element.dataset[key] ?? 0) >= Number(value)];
      return [(item) => (item.element.dataset[key] ?? "").split(" ").includes(value)];
    });

  const show = () => {
    const all = tests();
    let shown = 0;
    for (const item of items) {
      const passes = all.every((test) => test(item));
      item.element.hidden = !passes;
      shown += passes ? 1 : 0;
    }
    if (count) count.textContent = `${shown} of ${items.length} ${noun}`;
  };

  const order = (control) => {
    const key = control.value;
    const sorted = items
      .map((item, place) => ({ item, place, at: Number(item.element.dataset[key] ?? 0) }))
      .sort((a, b) => a.at - b.at || a.place - b.place);
    list.append(...sorted.map((s) => s.item.element));
  };

  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.matches("[data-order]")) order(event.target);
    clearTimeout(waiting);
    waiting = setTimeout(show, 60);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", (event) => {
    const wish = event.target.closest("[data-open]")?.dataset.open;
    if (!wish) return;
    for (const { element } of items) {
      const details = element.hidden ? null : element.querySelector("details");
      if (details) details.open = wish === "all";
    }
  });
  form.addEventListener("reset", () => setTimeout(() => {
    form.querySelectorAll("[data-order]").forEach(order);
    show();
  }, 0));
  form.hidden = false;
  show();
};

for (const form of document.querySelectorAll("form[data-list]")) setUp(form);
