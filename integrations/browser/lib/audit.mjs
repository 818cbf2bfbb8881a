// Accessibility, as axe-core sees it.

/** Faults that keep somebody from using the page; minor ones are not told. */
const GRAVE = new Set(["serious", "critical"]);

/** Violations of a page opened with `audit: true`, in words. */
export const auditFaults = async (page) => {
  const violations = await page.evaluate(async () => {
    const result = await window.axe.run(document, {
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return result.violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      count: nodes.length,
      where: nodes.slice(0, 3).map((n) => `${n.target.join(" ")} – ${n.any[0]?.message ?? n.failureSummary ?? ""}`),
    }));
  });
  const grave = violations.filter((v) => GRAVE.has(v.impact));
  return grave.map((v) => `${v.impact} ${v.id}: ${v.help} (${v.count})\n    ${v.where.join("\n    ")}`);
};
