// Explanations of the orchestrator as people read them.
import { moment, relative } from "./format.js";

/** A sentence with times as people read them. */
export function sentence(text) {
  const readable = String(text || "").replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => `${moment(at)} (${relative(at)})`);
  return readable ? readable[0].toUpperCase() + readable.slice(1) : "";
}

/** The sentence without what stands below it in lines of its own: what unblocks it, and its turn. */
export function whyParts(text, waits) {
  const turn = /\(its turn: ([^)]*)\)/.exec(text);
  let main = turn ? text.replace(turn[0], "").trim() : text;
  main = main.replace(/ \(and \d+ more\)$/, "");
  for (const wait of waits || []) {
    const because = wait.waits_because || {};
    const unblock = wait.unblock || because.unblock;
    if (unblock && main.includes(`; ${unblock}`)) main = main.replace(`; ${unblock}`, "");
  }
  return [main, turn ? `its turn: ${turn[1]}` : ""];
}
