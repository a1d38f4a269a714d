// Schedules: what starts jobs by the clock.
import { html, useEffect, useState } from "../core/html.js";
import { usePages } from "../core/data.js";
import { useRights } from "../core/session.js";
import { setQuery, to } from "../core/router.js";
import { moment, plural } from "../core/format.js";
import { jobStatus } from "../core/status.js";
import { Ago, Empty, Loading, ProblemNote, Status } from "../components/basics.js";
import { SearchInput } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { ScheduleDialog, timingText } from "../components/schedule-form.js";
import { VirtualList } from "../components/virtual.js";

export default function Schedules({ route }) {
  const rights = useRights();
  const list = usePages("schedules", "schedules", {}, 200);
  const [isNew, setNew] = useState(false);
  const words = (route.query.get("q") || "").toLowerCase();
  const shown = list.items.filter((one) => !words || one.name.toLowerCase().includes(words) || one.blueprint.toLowerCase().includes(words));
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && list.items.length <= 200 && list.reload(), 10000);
    return () => clearInterval(timer);
  }, [list.reload, list.items.length]);
  const create = rights.acts && html`<button type="button" class="btn btn-main" onClick=${() => setNew(true)} data-test="new-schedule"><${Icon} name="plus" />New schedule</button>`;
  const isMissing = list.problem && list.problem.status === 404;
  return html`
    <div class="page-head"><div><h1>Schedules</h1><p class="lead">They start jobs by the clock, each with its rule for what was missed and what still runs.</p></div>${!isMissing && create}</div>
    ${list.items.length > 0 && html`<div class="filters"><div class="grow"><${SearchInput} label="Name or blueprint" placeholder="Name or blueprint" value=${route.query.get("q") || ""} onInput=${(text) => setQuery({ q: text })} /></div></div>`}
    ${list.problem && !isMissing && html`<${ProblemNote} problem=${list.problem} retry=${list.reload} />`}
    <section class="panel" aria-label="Schedules" data-test="schedules">
      ${shown.length > 0 && html`<div class="grid-head sched-grid" aria-hidden="true"><span>State</span><span>Schedule</span><span>When</span><span>Next</span><span>Last run</span></div>`}
      ${shown.length > 0 ? html`<${VirtualList} count=${shown.length} height=${52} label="Schedules" row=${(i) => html`<${Row} one=${shown[i]} />`} onRange=${(_, last) => last >= shown.length - 20 && list.hasMore && list.more()} />`
        : isMissing ? html`<${Empty} icon="schedules" title="This orchestrator has no schedules">It is older than the dashboard.</${Empty}>`
        : list.isLoading ? html`<${Loading} />`
        : list.problem ? null
        : list.items.length > 0 ? html`<${Empty} icon="search" title="No schedule matches" />`
        : html`<${Empty} icon="schedules" title="No schedules yet" command=${'./artel schedule create nightly hello name=Ada --cron "30 2 * * *"'}>A schedule starts a job at times of a calendar, or again and again after a while. ${create ? "Make one here, or from a terminal." : ""}</${Empty}>`}
      ${shown.length > 0 && html`<div class="list-end" role="status">${list.hasMore ? html`<button type="button" class="btn btn-small" onClick=${list.more}>More</button>` : plural(shown.length, "schedule")}</div>`}
    </section>
    ${isNew && html`<${ScheduleDialog} onClose=${(result) => { setNew(false); if (result) list.reload(); }} />`}`;
}

function Row({ one }) {
  const next = (one.next || [])[0];
  const state = one.paused ? { tone: "off", mark: "pause", text: "Paused" } : next ? { tone: "done", mark: "clock", text: "Active" } : { tone: "off", mark: "stop", text: "Over" };
  return html`<a class="grid-row sched-grid" style=${{ height: "52px" }} href=${to(["schedules", one.name])} data-test="schedule">
    <${Status} kind=${state} />
    <span class="clip"><strong style=${{ fontWeight: 520 }}>${one.name}</strong><br /><span class="muted">${one.blueprint}</span></span>
    <span class="clip">${timingText(one.timing)}</span>
    <span class="clip" title=${next ? moment(next) : ""}>${one.paused ? html`<span class="muted">paused by ${one.paused.by}</span>` : next ? html`<${Ago} at=${next} />` : html`<span class="muted">never again</span>`}</span>
    <span class="clip">${one.last ? html`<${LastRun} run=${one.last} />` : html`<span class="muted">none yet</span>`}</span></a>`;
}

export function LastRun({ run }) {
  return html`<${Status} kind=${runKind(run)} />`;
}

/** A run of a schedule as a status: that of its job, if there is one. */
export function runKind(run) {
  if (run.job_status) return jobStatus(run.job_status);
  return { queued: { tone: "wait", mark: "queue", text: "Queued" }, due: { tone: "run", mark: "clock", text: "Due" }, submitted: { tone: "run", mark: "play", text: "Submitted" }, ended: { tone: "done", mark: "check", text: "Ended" }, skipped: { tone: "off", mark: "stop", text: "Skipped" }, refused: { tone: "fail", mark: "cross", text: "Refused" } }[run.status] || jobStatus(run.status);
}
