// A link to something folded away opens it.
const openTarget = () => {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const target = id === "" ? null : document.getElementById(id);
  if (!target) return;
  const folded = target.matches("details") ? target : target.querySelector(":scope > details");
  if (folded) folded.open = true;
  for (let above = target.parentElement; above; above = above.parentElement) {
    if (above.matches("details")) above.open = true;
  }
  target.scrollIntoView();
};
addEventListener("hashchange", openTarget);
openTarget();
