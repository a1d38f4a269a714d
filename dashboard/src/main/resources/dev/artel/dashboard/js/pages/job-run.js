// How a job came to where it is: its graph, and its life from left to right.
import { html, useEffect, useMemo, useState } from "../core/html.js";
import { part } from "../core/api.js";
import { useGet, useLoad } from "../core/data.js";
import { to } from "../core/router.js";
import { count, duration, moment } from "../core/format.js";
import { isOver, jobStatus, kindOf } from "../core/status.js";
import { Empty, Loading, Panel, ProblemNote, useClock } from "../components/basics.js";
import { Gantt } from "../components/gantt.js";
import { Check } from "../components/fields.js";
import { Graph, isAside } from "../components/graph.js";
import { Icon } from "../components/icon.js";
import { eventsAfter } from "./job-history.js";

/** Events that are drawn at once. */
const WINDOW = 1500;
const MOST_LANES = 80;

export function Run({ path, job, version }) {
  const isWhole = version <= WINDOW;
  const [begin, setBegin] = useState(null);
  const from = isWhole ? 0 : begin === null ? Math.max(0, version - WINDOW) : begin;
  const key = `${path}|${isWhole ? "all" : from}`;
  const { events, problem } = useWindow(path, from, Math.min(version, from + WINDOW), key);
  const graph = useGet(`blueprints/${part(job.blueprint_name)}/graph`, { version: job.blueprint_version, format: "json" });
  const life = useMemo(() => (events ? readLife(events, from === 0) : null), [events]);
  const here = useMemo(() => hereOf(job), [job]);
  const [isAll, setAll] = useState(false);

  return html`
    <${Panel} title="Graph" test="graph-panel" right=${graph.data && html`<span class="muted">${count(graph.data.states.length)} states</span>${graph.data.states.some(isAside) && html`<${Check} label="Ways of failures" checked=${isAll} onInput=${setAll} />`}`}>
      ${graph.data ? html`<${Graph} states=${graph.data.states} isWhole=${isAll} visits=${life ? life.visits : new Map()} steps=${life ? life.steps : new Set()} here=${here} />`
        : graph.problem ? html`<div class="panel-body soft">${graph.problem.status === 404 ? "This version of the definition is not here any more." : html`<${ProblemNote} problem=${graph.problem} />`}</div>` : html`<${Loading} rows=${3} />`}
    </${Panel}>
    <${Panel} title="Timeline" test="timeline" right=${!isWhole && html`<${WindowBar} from=${from} version=${version} onFrom=${setBegin} />`}>
      ${problem && html`<div class="panel-body"><${ProblemNote} problem=${problem} /></div>`}
      ${life ? html`<${Timeline} life=${life} job=${job} isLast=${from + WINDOW >= version} />` : !problem && html`<${Loading} rows=${5} />`}
    </${Panel}>`;
}

/** The events of a window; those that come are added, nothing is read twice. */
function useWindow(path, from, to, key) {
  const [state, setState] = useState({ key: null, events: null });
  const { data, problem } = useLoad(`${key}|${to}`, async (signal) => {
    const old = state.key === key ? state.events : [];
    const last = old.length ? old.at(-1).version : from;
    const more = to > last ? await eventsAfter(path, last, to - last, signal) : [];
    return { key, events: more.length ? old.concat(more) : old };
  });
  useEffect(() => {
    if (data) setState(data);
  }, [data]);
  const best = data || (state.key === key ? state : null);
  return { events: best && best.events, problem: best ? null : problem };
}

function WindowBar({ from, version, onFrom }) {
  const last = Math.max(0, version - WINDOW);
  const go = (to) => onFrom(to >= last ? null : Math.max(0, to));
  const button = (icon, label, to, isOff) => html`<button type="button" class="btn btn-small btn-icon" aria-label=${label} title=${label} disabled=${isOff} onClick=${() => go(to)}><${Icon} name=${icon} size=${14} /></button>`;
  return html`<span class="btn-row"><span class="muted">events ${count(from + 1)} to ${count(Math.min(version, from + WINDOW))} of ${count(version)}</span>
    <button type="button" class="btn btn-small" disabled=${from === 0} onClick=${() => go(0)}>First</button>
    ${button("left", "Earlier events", from - WINDOW, from === 0)}${button("right", "Later events", from + WINDOW, from >= last)}
    <button type="button" class="btn btn-small" disabled=${from >= last} onClick=${() => go(last)}>Last</button></span>`;
}

function hereOf(job) {
  const here = new Map();
  const kind = kindOf(job);
  for (const branch of job.branches || []) here.set(branch.state, branch.status === job.status ? kind : jobStatus(branch.status));
  if (here.size === 0 || isOver(job.status) || job.status === "quarantined") here.set(job.current_state, kind);
  return here;
}

function Timeline({ life, job, isLast }) {
  const now = useClock();
  const isEnd = isOver(job.status);
  const isOpen = !isEnd && isLast;
  const end = isOpen ? Math.max(life.to, now) : life.to;
  const span = Math.max(1, end - life.from);
  const lanes = useMemo(() => life.lanes.slice(0, MOST_LANES).map((lane) => (lane.task === undefined ? lane : { ...lane, href: to(["jobs", job.id], { tab: "tasks", task: lane.task }) })), [life, job.id]);
  if (life.lanes.length === 0) return html`<${Empty} small title="Nothing to draw in these events">States, tasks and waits are drawn here. The events have all the rest.</${Empty}>`;
  return html`<div style=${{ padding: "12px 0 4px" }}>
    <${Gantt} lanes=${lanes} from=${life.from} to=${end} now=${isOpen ? now : life.to} isOpen=${isOpen} label=${`Timeline from ${moment(life.from)}, ${duration(span)} long`} />
    <div class="legend panel-body">
      <span class="tone-run"><i class="swatch"></i>at a worker, handler</span><span class="tone-done"><i class="swatch"></i>succeeded</span><span class="tone-fail"><i class="swatch"></i>failed, lost</span><span class="tone-wait"><i class="swatch"></i>waits</span><span class="tone-person"><i class="swatch"></i>a person</span>
      <span style=${{ marginLeft: "auto" }} class="muted">${duration(span)}${life.lanes.length > MOST_LANES ? `, ${MOST_LANES} of ${life.lanes.length} lanes` : ""}</span>
    </div></div>`;
}

/**
 * What events show: lanes of branches, tasks and children, visits of states, and the ways between them.
 *
 * @param isFromBegin whether the first event of the job is among them, so that tasks can be counted
 */
export function readLife(events, isFromBegin) {
  const branches = new Map();
  const tasks = new Map();
  const children = new Map();
  const visits = new Map();
  const steps = new Set();
  let opened = 0;
  let forked = 0;
  let requested = 0;
  let from = Infinity;
  let to = 0;

  const branch = (number) => {
    if (!branches.has(number)) branches.set(number, { name: number === 0 ? "states" : `branch ${number}`, pieces: [], open: null, state: null });
    return branches.get(number);
  };
  const task = (number, type) => {
    if (!tasks.has(number)) tasks.set(number, { name: type ? `${type} #${number}` : `task #${number}`, task: number, pieces: [], open: null });
    return tasks.get(number);
  };
  const child = (number, name) => {
    if (!children.has(number)) children.set(number, { name: name ? `${name} (child ${number})` : `child ${number}`, pieces: [], open: null });
    return children.get(number);
  };
  const close = (lane, at, changes) => {
    if (!lane.open) return;
    Object.assign(lane.open, changes, { to: at });
    lane.open = null;
  };
  const open = (lane, at, piece) => {
    close(lane, at);
    lane.open = { from: at, ...piece };
    lane.pieces.push(lane.open);
  };
  const turn = (number, at, tone, line) => {
    const lane = branch(number);
    if (!lane.state) return;
    const before = lane.open;
    if (before && at - before.from < 3) Object.assign(before, { tone, soft: true, lines: [line] });
    else open(lane, at, { tone, soft: true, text: lane.state, lines: [line] });
  };
  const queue = (number, at, type, again) => open(task(number, type), again ? Date.parse(again) || at : at, { tone: "wait", soft: true, text: "queued", lines: ["waits for a worker"] });
  const endOfTask = (event, at, tone, line, then) => {
    const lane = task(event.task);
    if (lane.open) close(lane, at, { tone, soft: false, lines: [...(lane.open.lines || []), line].filter(Boolean) });
    if (then !== undefined) queue(event.task, at, undefined, then);
  };

  for (const event of events) {
    const at = Date.parse(event.at);
    from = Math.min(from, at);
    to = Math.max(to, at);
    switch (event.type) {
      case "state.entered": {
        const lane = branch(event.branch);
        const origin = lane.state;
        if (origin) steps.add(origin + "\n" + event.state);
        if (event.cause && event.cause.from) steps.add(event.cause.from + "\n" + event.state);
        visits.set(event.state, (visits.get(event.state) || 0) + 1);
        lane.state = event.state;
        open(lane, at, { tone: "run", text: event.state, lines: ["handler"] });
        break;
      }
      case "step.failed":
        turn(event.branch, at, "fail", event.message);
        break;
      case "task.opened":
        turn(event.branch, at, "run", `waits for a task ${event.task_type}`);
        if (isFromBegin) queue(opened++, at, event.task_type);
        break;
      case "tasks.opened":
        turn(event.branch, at, "run", `waits for ${event.count} tasks`);
        if (isFromBegin) {
          for (let i = 0; i < event.count; i++) {
            const spec = (event.tasks || [])[i];
            if (i < MOST_LANES) queue(opened + i, at, spec ? spec.task_type || spec.type : undefined);
          }
          opened += event.count;
        }
        break;
      case "lease.granted":
        open(task(event.task), at, { tone: "run", text: event.worker, lines: [`attempt ${event.attempt} at ${event.worker}`, event.placement && event.placement.because] });
        break;
      case "task.succeeded":
        endOfTask(event, at, "done", event.status);
        break;
      case "task.reused":
        open(task(event.task), at, { tone: "done", text: "reused", to: at, lines: [`result of ${event.worker}`] });
        close(task(event.task), at);
        break;
      case "attempt.failed":
        endOfTask(event, at, "fail", errorText(event.error), event.retry_at);
        break;
      case "task.failed":
        endOfTask(event, at, "fail", errorText(event.error));
        break;
      case "lease.lost":
        endOfTask(event, at, "fail", event.reason, event.at);
        break;
      case "lease.returned":
        endOfTask(event, at, "off", event.reason, event.retry_at);
        break;
      case "attempt.dropped":
        endOfTask(event, at, "off", event.reason);
        break;
      case "outcome.unknown":
        endOfTask(event, at, "person", event.reason);
        open(task(event.task), at, { tone: "person", soft: true, text: "in doubt", lines: [event.reason] });
        break;
      case "outcome.resolved":
        close(task(event.task), at);
        if (event.outcome === "did_not_happen") queue(event.task, at);
        break;
      case "question.asked":
        open(task(event.task), at, { tone: "person", soft: true, text: "question", lines: [event.question] });
        break;
      case "question.answered":
        open(task(event.task), at, { tone: "run", text: "goes on", lines: [`answered by ${event.by}`] });
        break;
      case "wait.begun":
        turn(event.branch, at, "wait", `waits until ${moment(event.until)}`);
        break;
      case "signal.awaited":
        turn(event.branch, at, "wait", `waits for the signal ${event.signal}`);
        break;
      case "approval.requested":
        turn(event.branch, at, "person", `asks: ${event.message}`);
        break;
      case "child.requested":
        turn(event.branch, at, "run", `waits for a job of ${event.blueprint}`);
        open(child(requested++, event.blueprint), at, { tone: "run", soft: true, text: event.blueprint, lines: ["a child job"] });
        break;
      case "children.requested":
        turn(event.branch, at, "run", `waits for ${event.count || "its"} children`);
        requested += event.count || 0;
        break;
      case "child.started":
        if (!children.has(event.child)) open(child(event.child), at, { tone: "run", soft: true, text: `child ${event.child}`, lines: ["a child job"] });
        break;
      case "child.ended":
        close(child(event.child), at, { tone: event.outcome === "finished" ? "done" : event.outcome === "failed" ? "fail" : "off", soft: false, lines: [event.outcome, event.reason].filter(Boolean) });
        break;
      case "branch.forked":
        for (const start of event.starts) {
          steps.add(branch(event.branch).state + "\n" + start);
          visits.set(start, (visits.get(start) || 0) + 1);
          if (isFromBegin) {
            const lane = branch(++forked);
            lane.name = `${start} (branch ${forked})`;
            lane.state = start;
            open(lane, at, { tone: "run", soft: true, text: start, lines: ["a branch"] });
          }
        }
        turn(event.branch, at, "run", `waits for ${event.starts.length} branches`);
        break;
      case "branch.ended":
        close(branch(event.branch), at, event.failure ? { tone: "fail", lines: [event.failure] } : {});
        break;
      case "tasks.withdrawn":
        tasks.forEach((lane) => close(lane, at, { tone: "off" }));
        break;
      case "job.quarantined":
        turn(0, at, "person", event.reason);
        break;
      case "job.ended":
        for (const lane of [...branches.values(), ...tasks.values(), ...children.values()]) close(lane, at);
        break;
      default:
    }
  }
  const lanes = [...inOrder(branches), ...inOrder(tasks), ...inOrder(children)].filter((lane) => lane.pieces.length > 0);
  return { lanes, visits, steps, from: Number.isFinite(from) ? from : 0, to };
}

const inOrder = (lanes) => [...lanes.entries()].sort(([a], [b]) => a - b).map(([, lane]) => lane);
const errorText = (error) => (error ? [error.code, error.message].filter(Boolean).join(": ") : "failed");
