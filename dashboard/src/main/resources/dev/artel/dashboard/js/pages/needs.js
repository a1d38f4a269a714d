// One list of everything that waits for a person, the oldest first, with the acts in place.
import { html, useEffect, useState } from "../core/html.js";
import { usePages, useThrottled } from "../core/data.js";
import { useStream } from "../core/live.js";
import { useRights } from "../core/session.js";
import { setQuery } from "../core/router.js";
import { count } from "../core/format.js";
import { needKind } from "../core/status.js";
import { Empty, Live, Loading, ProblemNote } from "../components/basics.js";
import { Icon } from "../components/icon.js";
import { NeedRow } from "../components/need.js";
import { Segments } from "../components/fields.js";

const KINDS = [["quarantine", "quarantine"], ["approval", "approvals"], ["question", "questions"], ["in_doubt", "in_doubt"], ["budget", "budget"], ["stuck", "stuck"]];

/** Events after which something may wait, or not wait any more. */
const CHANGES = /quarantin|approval|question|outcome|job\.(ended|cancel|rewound|paused|resumed)|cancel/;

export default function Needs({ route }) {
  const kind = route.query.get("kind") || "";
  const list = usePages(`needs-${kind}`, "needs", { kind }, 50);
  const rights = useRights();
  const [counts, setCounts] = useState(null);
  const [isBehind, setBehind] = useState(false);
  const refresh = useThrottled(() => (list.items.length <= 50 ? list.reload() : setBehind(true)), 1500);
  const live = useStream(rights.seesAll ? "overview/events" : "events", (event) => {
    if (event.type === "overview") {
      const now = event.data.needs || {};
      if (JSON.stringify(now) !== JSON.stringify(counts)) refresh();
      setCounts(now);
    } else if (CHANGES.test(event.type)) refresh();
  });
  useEffect(() => setBehind(false), [kind]);
  const name = ([key, counted]) => [key, html`<${Icon} name=${needKind(key).mark} size=${14} />${needKind(key).text}${counts && counts[counted] ? html` <span class="muted">${count(counts[counted])}</span>` : ""}`];
  return html`
    <div class="page-head"><div><h1>Needs you</h1><p class="lead">What no rule decides: the oldest first.</p></div><${Live} state=${live} /></div>
    <div class="table-scroll" tabindex="0"><${Segments} label="Kind" value=${kind} onInput=${(value) => setQuery({ kind: value })} options=${[["", "All"], ...KINDS.map(name)]} /></div>
    ${list.problem && (list.problem.status === 404 ? html`<${Empty} icon="needs" title="This orchestrator has no work list" command="./artel quarantine list">It is older than the dashboard. Its quarantined jobs are in the list of jobs.</${Empty}>` : html`<${ProblemNote} problem=${list.problem} retry=${list.reload} />`)}
    ${isBehind && html`<button type="button" class="btn" onClick=${() => { setBehind(false); list.reload(); }}><${Icon} name="refresh" />Something has changed: show it</button>`}
    ${!list.problem && html`<section class="panel" aria-label="What waits" data-test="needs">
      ${list.items.length > 0 ? html`<ul class="rows">${list.items.map((need) => html`<li key=${[need.kind, need.job_id, need.task, need.approval, need.question].join()}><${NeedRow} need=${need} onDone=${list.reload} /></li>`)}</ul>`
        : list.isLoading ? html`<${Loading} rows=${4} />`
        : html`<${Empty} icon="check" title="Nothing waits for a person">${kind ? "Nothing of this kind. " : ""}Quarantined jobs, approvals, questions of workers, tasks in doubt and stuck jobs appear here as soon as there are any.</${Empty}>`}
      ${list.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${list.more}>${list.isLoading ? "Loading" : "More"}</button></div>`}
    </section>`}`;
}
