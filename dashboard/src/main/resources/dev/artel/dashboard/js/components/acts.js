// Dialogs of what a person may do about a job. Each shows the refusal of the orchestrator where the button is.
import { html, useState } from "../core/html.js";
import { part, post, remove } from "../core/api.js";
import { useGet, useLoad } from "../core/data.js";
import { go, to } from "../core/router.js";
import { plural, words } from "../core/format.js";
import { FormDialog } from "./dialog.js";
import { AreaField, Check, jsonOrRefuse, Select, Field, TextField } from "./fields.js";
import { Note } from "./basics.js";

const job = (id) => `jobs/${part(id)}`;

export function CancelDialog({ id, hasChildren, onClose }) {
  const [tree, setTree] = useState(false);
  const act = async () => {
    if (!tree) {
      await post(`${job(id)}/cancel`);
      return;
    }
    let cursor;
    do {
      ({ next_cursor: cursor } = await post(`${job(id)}/cancel`, undefined, { tree: true, cursor }));
    } while (cursor);
  };
  return html`<${FormDialog} title="Cancel this job?" label="Cancel the job" danger act=${act} done="The job is being cancelled" onClose=${onClose} test="cancel-dialog">
    <p>Its workers get time to give up their tasks. What was done and can be compensated is compensated. A cancel cannot be taken back.</p>
    ${hasChildren && html`<${Check} label="Also all jobs that descend from it, those that live by themselves included" checked=${tree} onInput=${setTree} />`}
  </${FormDialog}>`;
}

export function PauseDialog({ id, onClose }) {
  const [reason, setReason] = useState("");
  return html`<${FormDialog} title="Pause this job" label="Pause" act=${() => post(`${job(id)}/pause`, reason ? { reason } : {})} done="The job is paused" onClose=${onClose} test="pause-dialog">
    <p class="soft">A paused job begins nothing. Tasks that workers have go on, and its deadline keeps counting.</p>
    <${TextField} label="Reason" hint="Others see it beside the job." value=${reason} onInput=${setReason} />
  </${FormDialog}>`;
}

const QUARANTINE = {
  release: ["Release", "What failed is tried again with all its tries.", "Release"],
  retry: ["Retry", "The handler of the state runs again. Data that you give are set in the data of the job before.", "Retry"],
  skip: ["Skip", "What failed counts as done, and the job goes on in the next state.", "Skip"],
  discard: ["Discard", "The job has failed for good. This cannot be taken back.", "Discard the job"],
};

export function QuarantineDialog({ id, act, onClose }) {
  const [json, setJson] = useState("");
  const [status, setStatus] = useState("success");
  const [reason, setReason] = useState("");
  const [title, text, label] = QUARANTINE[act];
  const send = async () => {
    const body = {};
    if (act === "retry") {
      const data = jsonOrRefuse(json, "The data cannot be sent");
      if (data !== undefined) body.data = data;
    }
    if (act === "skip") {
      const result = jsonOrRefuse(json, "The result cannot be sent");
      if (result !== undefined) body.result = result;
      if (status && status !== "success") body.status = status;
    }
    if (act === "discard" && reason) body.reason = reason;
    await post(`${job(id)}/quarantine/${act}`, body);
  };
  return html`<${FormDialog} title=${title} label=${label} danger=${act === "discard"} act=${send} done=${`${title}: done`} onClose=${onClose} test=${`${act}-dialog`}>
    <p class="soft">${text}</p>
    ${act === "retry" && html`<${AreaField} label="Changes of the data, as a JSON object" hint="May be left empty." value=${json} onInput=${setJson} placeholder='{"pages": 7}' />`}
    ${act === "skip" && html`<${TextField} label="Outcome that chooses the next state" value=${status} onInput=${setStatus} /><${AreaField} label="Result, as JSON" hint="Added to the data of the job as that of a task is. May be left empty." value=${json} onInput=${setJson} placeholder='{"pages": 7}' />`}
    ${act === "discard" && html`<${TextField} label="Reason" hint="Stands in the error message of the job." value=${reason} onInput=${setReason} />`}
  </${FormDialog}>`;
}

/** Takes a job back to a state, or begins another job there. */
export function BackDialog({ id, kind, states, onClose }) {
  const [state, setState] = useState(states[0] || "");
  const [json, setJson] = useState("");
  const isFork = kind === "fork";
  const send = async () => {
    const data = jsonOrRefuse(json, "The data cannot be sent");
    return post(`${job(id)}/${kind}`, { state, ...(data === undefined ? {} : { data }) });
  };
  const close = (result) => {
    onClose(result);
    if (isFork && result && result.job_id) go(to(["jobs", result.job_id]));
  };
  return html`<${FormDialog} title=${isFork ? "Fork: another job begins here" : "Rewind this job"} label=${isFork ? "Fork" : "Rewind"} act=${send} done=${isFork ? "Another job has begun" : "The job goes on from there"} onClose=${close} test=${`${kind}-dialog`}>
    <p class="soft">${isFork ? "A new job with the same blueprint and input begins in a state in which this one was. Results of its tasks are used again." : "The job goes back to a state in which it was, with the data of that time. What was done since and can be compensated is compensated first."}</p>
    ${states.length > 0 ? html`<${Field} label="State">${(field) => html`<${Select} id=${field} value=${state} onInput=${setState} options=${states} />`}</${Field}>` : html`<${TextField} label="State" value=${state} onInput=${setState} />`}
    <${AreaField} label="Changes of the data, as a JSON object" hint="May be left empty." value=${json} onInput=${setJson} />
  </${FormDialog}>`;
}

export function SignalDialog({ id, name: given = "", onClose }) {
  const [name, setName] = useState(given);
  const [json, setJson] = useState("");
  const [sender] = useState(() => crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random()}`);
  const send = async () => {
    const payload = jsonOrRefuse(json, "The payload cannot be sent");
    if (!name.trim()) throw Object.assign(new Error("A signal has a name"), { detail: "Type the name for which the job waits.", problems: [] });
    await post(`${job(id)}/signals/${part(name.trim())}`, { id: sender, ...(payload === undefined ? {} : { payload }) });
  };
  return html`<${FormDialog} title="Send a signal" label="Send" act=${send} done="The signal is durable" onClose=${onClose} test="signal-dialog">
    <${TextField} label="Name" value=${name} onInput=${setName} placeholder="paid" mono />
    <${AreaField} label="Payload, as JSON" hint="May be left empty." value=${json} onInput=${setJson} placeholder='{"amount": 7}' />
  </${FormDialog}>`;
}

export function ApprovalDialog({ id, approval, choice, message, onClose }) {
  const [comment, setComment] = useState("");
  return html`<${FormDialog} title=${`Decide: ${words(choice)}`} label=${words(choice)} act=${() => post(`${job(id)}/approvals/${part(String(approval))}`, { decision: choice, ...(comment ? { comment } : {}) })} done=${`Decided: ${words(choice)}`} onClose=${onClose} test="approval-dialog">
    ${message && html`<p>${message}</p>`}
    <${TextField} label="Comment" hint="Stays in the history of the job. May be left empty." value=${comment} onInput=${setComment} />
  </${FormDialog}>`;
}

export function AnswerDialog({ id, question, text, choices, onClose }) {
  const [answer, setAnswer] = useState(choices && choices.length ? choices[0] : "");
  return html`<${FormDialog} title="Answer" label="Answer" disabled=${!answer} act=${() => post(`${job(id)}/questions/${part(String(question))}`, { answer })} done="The worker gets the answer" onClose=${onClose} test="answer-dialog">
    ${text && html`<p>${text}</p>`}
    ${choices && choices.length ? html`<${Field} label="Answer">${(field) => html`<${Select} id=${field} value=${answer} onInput=${setAnswer} options=${choices} />`}</${Field}>` : html`<${AreaField} label="Answer" rows=${3} value=${answer} onInput=${setAnswer} />`}
  </${FormDialog}>`;
}

const OUTCOMES = { happened: "It happened", did_not_happen: "It did not happen", failed: "It failed" };

export function ResolveDialog({ id, task, outcome, onClose }) {
  const [status, setStatus] = useState("success");
  const [json, setJson] = useState("");
  const [reason, setReason] = useState("");
  const send = async () => {
    const body = { outcome };
    if (outcome === "happened") {
      const result = jsonOrRefuse(json, "The result cannot be sent");
      if (result !== undefined) body.result = result;
      if (status && status !== "success") body.status = status;
    }
    if (outcome === "failed" && reason) body.reason = reason;
    await post(`${job(id)}/tasks/${task}/resolve`, body);
  };
  return html`<${FormDialog} title=${`Task ${task}: ${OUTCOMES[outcome].toLowerCase()}`} label=${OUTCOMES[outcome]} danger=${outcome === "failed"} act=${send} done="Recorded in the history" onClose=${onClose} test="resolve-dialog">
    ${outcome === "happened" && html`<p class="soft">The job goes on as if the worker had reported it.</p><${TextField} label="Status that the worker would have sent" value=${status} onInput=${setStatus} /><${AreaField} label="Result, as JSON" hint="What the worker would have sent." value=${json} onInput=${setJson} />`}
    ${outcome === "did_not_happen" && html`<p class="soft">The task is offered again. Be sure that it was not done: it would be done twice.</p>`}
    ${outcome === "failed" && html`<${TextField} label="Reason" value=${reason} onInput=${setReason} />`}
  </${FormDialog}>`;
}

export function DeleteDialog({ id, onClose }) {
  const [tree, setTree] = useState(false);
  return html`<${FormDialog} title="Delete this job?" label="Delete" danger act=${() => remove(job(id), { tree: tree || undefined }).then(() => go(to(["jobs"])))} done="The job is deleted" onClose=${onClose} test="delete-dialog">
    <p>Its history, data and logs are removed for good. Its idempotency key is free again.</p>
    <${Check} label="Also all jobs that descend from it" checked=${tree} onInput=${setTree} />
  </${FormDialog}>`;
}

export function BudgetDialog({ id, onClose }) {
  const [amounts, setAmounts] = useState({ cost_usd: "", tokens: "", seconds: "", calls: "" });
  const send = () => post(`${job(id)}/budget/extend`, Object.fromEntries(Object.entries(amounts).filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)])));
  return html`<${FormDialog} title="Extend the budget" label="Extend" act=${send} done="The budget is extended" onClose=${onClose}>
    <div class="form-grid">${[["cost_usd", "US dollars"], ["tokens", "Tokens"], ["seconds", "Seconds"], ["calls", "Calls"]].map(([name, label]) => html`<${TextField} label=${label} type="number" value=${amounts[name]} onInput=${(value) => setAmounts({ ...amounts, [name]: value })} />`)}</div>
  </${FormDialog}>`;
}

const BULK = {
  cancel: ["Cancel", "cancelled", true],
  pause: ["Pause", "paused"],
  resume: ["Resume", "resumed"],
  signal: ["Signal", "have the signal"],
  release: ["Release", "released"],
  retry: ["Retry", "retried"],
  discard: ["Discard", "discarded", true],
};
const MOST_COUNTED = 100_000;

/** One act for all jobs of a filter: counted first, done page by page, with what failed. */
export function BulkDialog({ act, filter, onClose }) {
  const [progress, setProgress] = useState(null);
  const [reason, setReason] = useState("");
  const [title, done, isDanger] = BULK[act];
  const isQuarantine = ["release", "retry", "discard"].includes(act);
  const [name, setName] = useState("");
  const [json, setJson] = useState("");
  const [sender] = useState(() => `dashboard-${Date.now()}-${Math.floor(Math.random() * 1e9)}`);
  const isSignal = act === "signal";
  const path = isQuarantine ? `quarantine/${act}` : isSignal ? `bulk/signals/${part(name.trim())}` : `bulk/${act}`;
  const body = act === "pause" || act === "discard" ? (reason ? { reason } : {}) : isQuarantine ? {} : undefined;
  const query = isQuarantine ? { ...filter, status: undefined } : filter;
  // A signal without a name has no address yet: the same filter of a pause counts the same jobs.
  const counted = useCount(isSignal ? "bulk/pause" : path, query, isQuarantine || isSignal || act === "pause" ? {} : undefined);
  const run = async () => {
    const sums = { matched: 0, over: 0, done: 0, unchanged: 0, failed: 0, failures: [] };
    const payload = isSignal ? jsonOrRefuse(json, "The payload cannot be sent") : undefined;
    const sent = isSignal ? { id: sender, ...(payload === undefined ? {} : { payload }) } : body;
    let cursor;
    do {
      const answer = await post(path, sent, { ...query, cursor });
      for (const name of ["matched", "over", "done", "unchanged", "failed"]) sums[name] += answer[name] || 0;
      sums.failures = [...sums.failures, ...(answer.failures || [])].slice(0, 20);
      cursor = answer.next_cursor;
      setProgress({ ...sums, isDone: !cursor });
    } while (cursor);
    return false;
  };
  const reaches = counted ? counted.matched - counted.over : 0;
  return html`<${FormDialog} title=${`${title} all that match`} label=${counted ? `${title} ${plural(reaches, "job")}` : title} danger=${isDanger} disabled=${!counted || reaches === 0 || (isSignal && !name.trim()) || (progress && progress.isDone)} hideAct=${progress && progress.isDone} act=${run} onClose=${onClose} test="bulk-dialog">
    <dl class="facts">${Object.entries(filter).filter(([, value]) => value).map(([name, value]) => html`<dt>${name === "q" ? "words" : words(name)}</dt><dd><code>${value}</code></dd>`)}</dl>
    ${!counted ? html`<p role="status" class="soft">Counting; nothing is changed.</p>` : html`<p data-test="bulk-count"><strong>${reaches}${counted.isMore ? " or more" : ""}</strong> ${reaches === 1 ? "job is" : "jobs are"} reached${counted.over ? `, ${counted.over} that have ended are left alone` : ""}.</p>`}
    ${isSignal && html`<${TextField} label="Name of the signal" value=${name} onInput=${setName} mono placeholder="recalled" /><${AreaField} label="Payload, as JSON" hint="May be left empty." value=${json} onInput=${setJson} rows=${3} />`}
    ${(act === "pause" || act === "discard") && html`<${TextField} label="Reason" value=${reason} onInput=${setReason} />`}
    ${progress && html`<${Note} tone=${progress.failed ? "fail" : "done"} icon=${progress.failed ? "warn" : "check"}>
      <strong>${progress.done} ${done}</strong>${progress.unchanged ? `, ${progress.unchanged} were so before` : ""}${progress.failed ? `, ${progress.failed} failed` : ""}${progress.isDone ? "." : " so far"}
      ${progress.failures.length > 0 && html`<ul>${progress.failures.map((one) => html`<li><code>${one.job_id}</code>: ${one.error}${one.detail ? `, ${one.detail}` : ""}</li>`)}</ul>`}</${Note}>`}
  </${FormDialog}>`;
}

/** Counts with a dry run; undefined while it goes on. */
function useCount(path, query, body) {
  return useLoad(path + JSON.stringify(query), async () => {
    const sums = { matched: 0, over: 0, isMore: false };
    let cursor;
    do {
      const answer = await post(path, body, { ...query, dry_run: true, cursor });
      sums.matched += answer.matched;
      sums.over += answer.over;
      cursor = answer.next_cursor;
      if (sums.matched >= MOST_COUNTED && cursor) {
        sums.isMore = true;
        break;
      }
    } while (cursor);
    return sums;
  }).data;
}

/** States in which a job was, the newest first, from its events. */
export function useStatesOf(id, isWanted) {
  const { data } = useGet(isWanted ? `${job(id)}/history` : null, { limit: 1000 });
  if (!data) return [];
  const names = [];
  for (const event of data.items) {
    if (event.type === "state.entered") {
      const at = names.indexOf(event.state);
      if (at >= 0) names.splice(at, 1);
      names.unshift(event.state);
    }
  }
  return names;
}
