// Explanations of the orchestrator as people read them.
import { moment, relative } from "./format.js";

/** A text with times as people read them. */
export function withTimes(text) {
  return String(text || "").replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => `${moment(at)} (${relative(at)})`);
}

/** The same as a sentence. */
export function sentence(text) {
  const readable = withTimes(text);
  // A sentence that begins with the name of a worker keeps the name as it is.
  return /^\S+ (has|is) /.test(readable) && !/^(it|this|that|there|none|nothing) /.test(readable) ? readable : readable.charAt(0).toUpperCase() + readable.slice(1);
}

/** The sentence without what stands below it in lines of its own: what unblocks it, and its turn. */
export function whyParts(text, waits) {
  const turn = /\((its turn at priority [^)]*)\)/.exec(text);
  let main = turn ? text.replace(turn[0], "").trim() : text;
  main = main.replace(/ \(and \d+ more( things)?\)$/, "");
  for (const wait of waits || []) {
    const because = wait.waits_because || {};
    const unblock = wait.unblock || because.unblock;
    if (unblock && main.includes(`; ${unblock}`)) main = main.replace(`; ${unblock}`, "");
  }
  return [main, turn ? turn[1] : ""];
}

const HEADLINES = {
  task: ["task is at a worker", "tasks are at workers"],
  worker: ["task waits for a worker", "tasks wait for workers"],
  window: ["task waits for its turn", "tasks wait for their turn"],
  step: ["handler runs", "handlers run"],
  backoff: ["retry waits", "retries wait"],
  time: ["wait goes on", "waits go on"],
  signal: ["signal is awaited", "signals are awaited"],
  approval: ["approval is open", "approvals are open"],
  answer: ["question is open", "questions are open"],
  resolution: ["task is in doubt", "tasks are in doubt"],
  child: ["child is awaited", "children are awaited"],
  children: ["fan-out of children goes on", "fan-outs of children go on"],
};

/** What a job waits for in one line, if that is several things: `5 tasks are at workers, 2 tasks wait for workers`. */
export function headline(waits) {
  const [one] = waits;
  if (waits.length === 0 || (waits.length === 1 && one.for !== "task")) return "";
  if (waits.length === 1) return one.count > 1 ? `${one.count} tasks of type ${one.type} are at workers` : `A task${one.type ? ` of type ${one.type}` : ""} is at a worker`;
  const counts = new Map();
  for (const wait of waits) {
    if (!HEADLINES[wait.for]) return "";
    counts.set(wait.for, (counts.get(wait.for) || 0) + (wait.count || 1));
  }
  return [...counts].map(([kind, n]) => `${n} ${HEADLINES[kind][n === 1 ? 0 : 1]}`).join(", ");
}
