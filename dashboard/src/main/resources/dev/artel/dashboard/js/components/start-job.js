// The dialog that starts a job: a form from the schema of its input, or JSON.
import { html, useEffect, useState } from "../core/html.js";
import { part, post } from "../core/api.js";
import { useGet } from "../core/data.js";
import { go, to } from "../core/router.js";
import { toast } from "./toast.js";
import { FormDialog } from "./dialog.js";
import { AreaField, jsonOrRefuse, Segments, TextField } from "./fields.js";
import { Note } from "./basics.js";
import { emptyOf, SchemaForm } from "./schema-form.js";

/** @param input what the form begins with; without it what the schema wants */
export function StartDialog({ name, version, input, onClose }) {
  const definition = useGet(`blueprints/${part(name)}`, { version });
  const schema = definition.data && definition.data.initial_data;
  const [view, setView] = useState("form");
  const [value, setValue] = useState(input || {});
  const [json, setJson] = useState(JSON.stringify(input || {}, null, 2));
  const [labels, setLabels] = useState("");
  const [priority, setPriority] = useState("");
  const [key, setKey] = useState("");
  const isForm = view === "form" && Boolean(schema);
  useEffect(() => {
    if (schema && !input) {
      const first = emptyOf(schema) || {};
      setValue(first);
      setJson(JSON.stringify(first, null, 2));
    }
  }, [schema]);
  const turn = (to) => {
    if (to === "json") setJson(JSON.stringify(value, null, 2));
    else {
      try {
        setValue(JSON.parse(json));
      } catch {
        return; // stays where the JSON can be corrected
      }
    }
    setView(to);
  };
  const start = async () => {
    const data = isForm ? value : jsonOrRefuse(json, "The input cannot be sent");
    const body = { blueprint: name, initial_data: data ?? {} };
    if (version) body.version = version;
    if (priority) body.priority = Number(priority);
    if (key) body.idempotency_key = key;
    const pairs = labels.split(/[\s,]+/).filter(Boolean).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
    if (pairs.some(([label]) => !label)) throw Object.assign(new Error("A label is NAME=VALUE"), { detail: "Separate several by spaces.", problems: [] });
    if (pairs.length) body.labels = Object.fromEntries(pairs);
    const answer = await post("jobs", body);
    toast("The job is durable", { href: to(["jobs", answer.job_id]), text: "Look at it" });
    return answer;
  };
  return html`<${FormDialog} title=${`Start a job of ${name}`} label="Start" wide act=${start} onClose=${(answer) => { onClose(); if (answer && answer.job_id) go(to(["jobs", answer.job_id])); }} test="start-dialog">
    ${schema && html`<div><${Segments} label="Input as" value=${view} onInput=${turn} options=${[["form", "Form"], ["json", "JSON"]]} /></div>`}
    ${isForm ? html`<${SchemaForm} key=${String(Boolean(definition.data))} schema=${schema} value=${value} onChange=${setValue} />`
      : html`${definition.data && !schema && html`<${Note}>This definition does not declare its input: any JSON object goes.</${Note}>`}<${AreaField} label="Input, as JSON" rows=${8} value=${json} onInput=${setJson} />`}
    <details><summary class="soft">Labels, priority, idempotency key</summary><div class="form-grid" style=${{ marginTop: "12px" }}>
      <${TextField} label="Labels" placeholder="order=4711 team=red" value=${labels} onInput=${setLabels} />
      <${TextField} label="Priority" type="number" placeholder="0" value=${priority} onInput=${setPriority} />
      <${TextField} label="Idempotency key" hint="The same key gives the same job." value=${key} onInput=${setKey} /></div></details>
  </${FormDialog}>`;
}
