// The form of a schedule, new or changed.
import { html, useMemo, useState } from "../core/html.js";
import { part, put } from "../core/api.js";
import { useGet } from "../core/data.js";
import { go, to } from "../core/router.js";
import { duration, moment } from "../core/format.js";
import { FormDialog } from "./dialog.js";
import { AreaField, jsonOrRefuse, Segments, SelectField, TextField } from "./fields.js";

/** When a schedule starts jobs, in a few words. */
export function timingText(timing) {
  if (!timing) return "";
  if (timing.cron) return `${timing.cron}${timing.zone ? `, ${timing.zone}` : ""}`;
  if (timing.every_seconds) return `every ${duration(timing.every_seconds * 1000)}`;
  return timing.at ? `once, ${moment(timing.at)}` : "";
}

const OVERLAP = [["skip", "skip the new run"], ["queue", "queue the new run"], ["cancel_old", "cancel the one that runs"], ["allow", "run both"]];
const CATCH_UP = [["none", "leave them out"], ["last", "run the last one"], ["all", "run all of them"]];

/** Members that the form has no field for stay as they are. */
const KEPT = ["version", "client", "priority", "labels", "deadline_seconds", "starts_at", "ends_at", "queue_limit", "catch_up_limit", "catch_up_window_seconds", "submit_attempts", "start_within_seconds"];

export function ScheduleDialog({ schedule, onClose }) {
  const timing = (schedule && schedule.timing) || {};
  const [name, setName] = useState(schedule ? schedule.name : "");
  const [blueprint, setBlueprint] = useState(schedule ? schedule.blueprint : "");
  const [kind, setKind] = useState(timing.every_seconds ? "every" : timing.at ? "at" : "cron");
  const [cron, setCron] = useState(timing.cron || "0 8 * * MON-FRI");
  const [zone, setZone] = useState(timing.zone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  const [every, setEvery] = useState(String(timing.every_seconds || 3600));
  const [at, setAt] = useState("");
  const [input, setInput] = useState(JSON.stringify(schedule ? schedule.input : {}, null, 2));
  const [overlap, setOverlap] = useState(schedule ? schedule.overlap : "skip");
  const [catchUp, setCatchUp] = useState(schedule ? schedule.catch_up : "last");
  const [jitter, setJitter] = useState(schedule && schedule.jitter_seconds ? String(schedule.jitter_seconds) : "");
  const blueprints = useGet("blueprints", { limit: 500 });
  const names = useMemo(() => [...new Set(((blueprints.data && blueprints.data.items) || []).map((one) => one.name))], [blueprints.data]);
  const save = async () => {
    if (!name.trim()) throw Object.assign(new Error("A schedule has a name"), { detail: "Type one; it stands in addresses.", problems: [] });
    const value = jsonOrRefuse(input, "The input cannot be sent");
    const body = { blueprint: blueprint.trim(), timing: timingOf(), overlap, catch_up: catchUp };
    if (value !== undefined) body.input = value;
    if (jitter) body.jitter_seconds = Number(jitter);
    for (const member of KEPT) if (schedule && schedule[member] !== undefined) body[member] = schedule[member];
    return put(`schedules/${part(name.trim())}`, body);
  };
  const timingOf = () => {
    if (kind === "cron") return { cron: cron.trim(), zone: zone.trim() };
    if (kind === "every") return { every_seconds: Number(every), ...(timing.anchor ? { anchor: timing.anchor } : {}) };
    const date = new Date(at || timing.at);
    if (Number.isNaN(date.getTime())) throw Object.assign(new Error("The time is missing"), { detail: "Choose when the job starts.", problems: [] });
    return { at: date.toISOString() };
  };
  return html`<${FormDialog} title=${schedule ? `Change ${schedule.name}` : "New schedule"} label=${schedule ? "Save" : "Create"} wide act=${save} done=${schedule ? "The schedule is changed" : "The schedule is durable"}
      onClose=${(result) => { onClose(result); if (result && !schedule) go(to(["schedules", result.name || name.trim()])); }} test="schedule-dialog">
    <div class="form-grid">
      ${!schedule && html`<${TextField} label="Name" value=${name} onInput=${setName} placeholder="nightly-report" mono />`}
      <${TextField} label="Blueprint" value=${blueprint} onInput=${setBlueprint} list="schedule-blueprints" hint="What it starts." />
      <datalist id="schedule-blueprints">${names.map((one) => html`<option value=${one} />`)}</datalist>
    </div>
    <div><${Segments} label="When" value=${kind} onInput=${setKind} options=${[["cron", "Calendar"], ["every", "Again and again"], ["at", "Once"]]} /></div>
    ${kind === "cron" && html`<div class="form-grid"><${TextField} label="Cron" mono value=${cron} onInput=${setCron} hint="Minute, hour, day of the month, month, day of the week." /><${TextField} label="Time zone" value=${zone} onInput=${setZone} hint="For example Europe/Berlin." /></div>`}
    ${kind === "every" && html`<${TextField} label="Seconds between two runs" type="number" value=${every} onInput=${setEvery} />`}
    ${kind === "at" && html`<${TextField} label="Time" type="datetime-local" value=${at} onInput=${setAt} hint=${timing.at ? `Now: ${moment(timing.at)}` : "In the time of this browser."} />`}
    <${AreaField} label="Input, as JSON" value=${input} onInput=${setInput} rows=${5} hint=${"In its texts ${tick} is the time of the run, and ${tick.date} its date."} />
    <div class="form-grid">
      <${SelectField} label="If the one before still runs" value=${overlap} onInput=${setOverlap} options=${OVERLAP} />
      <${SelectField} label="Times that were missed" value=${catchUp} onInput=${setCatchUp} options=${CATCH_UP} />
      <${TextField} label="Jitter, in seconds" type="number" value=${jitter} onInput=${setJitter} hint="Spreads runs that would begin together." /></div>
  </${FormDialog}>`;
}
