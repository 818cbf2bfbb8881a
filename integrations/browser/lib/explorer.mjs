// The explorer as a process: started, asked, ended.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "./work.mjs";

/** Starts `eightk serve` on a free port; `url` is where it answers, `seconds` how long it took to say so. */
export const serve = async ({ dataset, runs }, more = []) => {
  const begun = performance.now();
  const child = spawn(program(), ["serve", dataset, "--runs", runs, "--port", "0", "--json", ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, "line").then(([line]) => line),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`serve ended with ${code}: ${said.join("\n")}`))),
  ]);
  const url = new URL(JSON.parse(first).url).origin;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return { url, said, stop, seconds: (performance.now() - begun) / 1000 };
};

/** Milliseconds of one GET, read to its end, at the median of several. */
export const medianTime = async (address, times = 9) => {
  const taken = [];
  for (let i = 0; i < times; i += 1) {
    const begun = performance.now();
    const response = await fetch(address);
    await response.arrayBuffer();
    taken.push(performance.now() - begun);
    if (!response.ok) throw new Error(`${response.status} ${address}`);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)];
};
