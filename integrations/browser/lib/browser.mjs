// Chromium, and pages that are watched: whatever they ask for, complain of or pop up is kept.

import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Nothing but this machine can be reached, whatever a page asks for. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Starts Chromium; whoever starts it closes it. */
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: ARGUMENTS });

/**
 * Opens a page in a context of its own.
 * `asked`: every address that was asked for. `faults`: console warnings and errors, errors of scripts, breaches of the
 * Content-Security-Policy, dialogs, failed requests.
 */
export const watched = async (browser, { width = 1280, height = 900, scheme = "light", script = true, audit = false } = {}) => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: script,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const [asked, faults] = [[], []];
  const fault = (kind, text) => faults.push(`${kind}: ${text}`);
  context.on("request", (request) => asked.push(request.url()));
  context.on("requestfailed", (request) => {
    // Given up because the page was left, or became a download.
    const why = request.failure()?.errorText;
    if (why !== "net::ERR_ABORTED") fault("request failed", `${request.url()} ${why}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) fault("status", `${response.status()} ${response.url()}`);
  });
  context.on("console", (message) => {
    if (["warning", "error", "assert"].includes(message.type())) fault(`console ${message.type()}`, message.text());
  });
  context.on("weberror", (error) => fault("script", String(error.error())));
  context.on("dialog", (dialog) => {
    fault("dialog", dialog.message());
    dialog.dismiss().catch(() => {});
  });
  await context.exposeBinding("__breach", (_, text) => fault("policy", text));
  await context.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (e) => window.__breach(`${e.violatedDirective} ${e.blockedURI}`)),
  );
  // The page's policy lets no script in but its own; this comes in before it.
  if (audit) await context.addInitScript({ path: axe });
  const page = await context.newPage();
  context.on("page", () => fault("window", "a second one opened"));
  return { page, context, asked, faults, close: () => context.close() };
};
