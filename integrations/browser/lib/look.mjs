// Faults that eyes get tired of: text over text, text cut off, text too small, a page that scrolls sideways.
//
// Everything runs inside the page, on what is laid out and can be seen at this width.

/** Least size of text, in pixels: of pages, and of charts as they are drawn at this width. */
const LEAST = { html: 13, svg: 8.5 };

/** Runs in the page; returns what is wrong, in words. */
const inspect = (least) => {
  const found = [];
  const root = document.documentElement;
  const name = (element) => {
    const classes = element.getAttribute("class");
    return element.tagName.toLowerCase() + (element.id ? `#${element.id}` : "") + (classes ? `.${classes.trim().split(/\s+/).join(".")}` : "");
  };
  const place = (element) => {
    const path = [];
    for (let e = element; e && e !== document.body && path.length < 3; e = e.parentElement) path.unshift(name(e));
    return path.join(" > ");
  };
  const short = (text) => {
    const line = text.replace(/\s+/g, " ").trim();
    return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
  };
  const intersect = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  // For screen readers alone.
  const unseen = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.clipPath.startsWith("inset(50%") || style.visibility !== "visible" || style.opacity === "0") return true;
    }
    return false;
  };

  // Sideways.
  const width = root.clientWidth;
  const sideways = document.scrollingElement.scrollWidth > width;
  const boxed = (element) => {
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX)) return true;
    }
    return false;
  };
  if (sideways) {
    const out = Array.from(document.body.querySelectorAll("*")).filter((e) => {
      const box = e.getBoundingClientRect();
      return box.width > 0 && box.right + scrollX > width + 1 && !boxed(e);
    });
    const innermost = out.filter((e) => !out.some((other) => other !== e && e.contains(other)));
    found.push(`scrolls sideways, ${document.scrollingElement.scrollWidth} px in ${width}: ${innermost.slice(0, 5).map(place).join("; ")}`);
  }

  // Labels at a slant: their four corners, drawn in as the boxes of upright text are. None for upright ones.
  const corners = (text) => {
    const matrix = text.getScreenCTM();
    if (!matrix || (Math.abs(matrix.b) < 1e-6 && Math.abs(matrix.c) < 1e-6)) return null;
    const box = text.getBBox();
    const ease = box.height * 0.2;
    const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
    const [left, right, top, bottom] = [box.x + 1, box.x + box.width - 1, box.y + ease, box.y + box.height - ease];
    return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
  };
  const outline = (p) =>
    p.slanted ?? [[p.left, p.top], [p.right, p.top], [p.right, p.bottom], [p.left, p.bottom]].map(([x, y]) => ({ x, y }));
  // Two convex outlines are apart where some side of one has all of the other beyond it.
  const apart = (a, b) =>
    [a, b].some((shape) =>
      shape.some((from, i) => {
        const to = shape[(i + 1) % shape.length];
        const [nx, ny] = [to.y - from.y, from.x - to.x];
        const along = (points) => points.map(({ x, y }) => nx * x + ny * y);
        const [one, two] = [along(a), along(b)];
        return Math.max(...one) <= Math.min(...two) || Math.max(...two) <= Math.min(...one);
      }),
    );

  // Pieces of text with the box in which they are seen.
  const pieces = [];
  const small = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim()) continue;
    const element = node.parentElement;
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    if (element.closest("option, script, style, noscript, title, desc, metadata, textarea") || unseen(element)) continue;
    const svg = element.ownerSVGElement;
    const text = svg ? element.closest("text") : element;
    if (!text) continue;
    const style = getComputedStyle(element);
    let size = Number.parseFloat(style.fontSize);
    if (svg) size *= Math.abs(svg.getScreenCTM()?.d ?? 1);
    if (size < (svg ? least.svg : least.html) - 0.05) {
      small.set(place(element), `${size.toFixed(1)} px: ${place(element)} ${short(node.data)}`);
    }
    let bounds = null;
    for (let e = svg ?? element; e && e !== document.body; e = e.parentElement) {
      const of = getComputedStyle(e);
      if (e !== svg && of.overflowX === "visible" && of.overflowY === "visible") continue;
      const box = e.getBoundingClientRect();
      bounds = bounds ? intersect(bounds, box) : box;
      if (e !== svg) break;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = svg ? [text.getBoundingClientRect()] : Array.from(range.getClientRects());
    if (svg) {
      const box = boxes[0];
      const frame = svg.getBoundingClientRect();
      if (box.left < frame.left - 1.5 || box.right > frame.right + 1.5 || box.top < frame.top - 2.5 || box.bottom > frame.bottom + 2.5) {
        found.push(`leaves its chart: ${place(svg)} ${short(text.textContent)}`);
      }
    }
    const slanted = svg ? corners(text) : null;
    for (const box of boxes) {
      const seen = bounds ? intersect(bounds, box) : box;
      // Boxes are as high as the font says, letters are not.
      const ease = Math.min(4, (seen.bottom - seen.top) * 0.2);
      const tight = { left: seen.left + 1, right: seen.right - 1, top: seen.top + ease, bottom: seen.bottom - ease };
      if (tight.right > tight.left && tight.bottom > tight.top) pieces.push({ ...tight, slanted, node, owner: text, words: node.data });
    }
  }
  for (const words of Array.from(small.values()).slice(0, 10)) found.push(`small text, ${words}`);

  // Over each other. Swept from the top, so that a page of ten thousand pieces takes no minute.
  pieces.sort((a, b) => a.top - b.top);
  const told = new Set();
  let open = [];
  for (const piece of pieces) {
    open = open.filter((other) => other.bottom > piece.top);
    for (const other of open) {
      if (other.node === piece.node || other.owner === piece.owner) continue;
      if (Math.min(other.right, piece.right) - Math.max(other.left, piece.left) <= 1) continue;
      if (Math.min(other.bottom, piece.bottom) - Math.max(other.top, piece.top) <= 1) continue;
      if ((piece.slanted || other.slanted) && apart(outline(piece), outline(other))) continue;
      const words = `text over text: ${place(other.owner)} ${short(other.words)} and ${place(piece.owner)} ${short(piece.words)}`;
      if (told.size < 20) told.add(words);
    }
    open.push(piece);
  }
  found.push(...told);

  // Cut off.
  for (const element of document.body.querySelectorAll("*")) {
    if (element.ownerSVGElement || element.tagName === "svg" || !element.textContent.trim()) continue;
    if (element.matches("input, select, textarea, option") || unseen(element)) continue;
    const style = getComputedStyle(element);
    const cutX = ["hidden", "clip"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const cutY = ["hidden", "clip"].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
    if ((cutX || cutY) && element.clientWidth > 0) found.push(`cut text: ${place(element)} ${short(element.textContent)}`);
  }
  for (const select of document.querySelectorAll("select, button")) {
    if (select.clientWidth > 0 && select.scrollWidth > select.clientWidth + 1) found.push(`cut control: ${place(select)}`);
  }
  return found;
};

/** What is wrong with the look of a page as it stands; nothing where nothing is. */
export const lookFaults = (page) => page.evaluate(inspect, LEAST);
