// Server-sent events over fetch: any event type, with a resume behind the last one. A page that is hidden reads none, since a
// browser has six connections to one address for all its windows together.
import { useEffect, useRef, useState } from "./html.js";
import { sessionIsOver, url } from "./api.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30000;

/**
 * Reads a stream until `signal` is aborted, again and again after breaks.
 *
 * @param listener gets `{id, type, data}`, data as JSON
 * @param onState gets "open", "broken", "over" (there is nothing more) or "missing" (no such stream)
 */
async function follow(path, query, after, listener, onState, signal) {
  let last = after;
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream" };
      if (last !== undefined && last !== null && last !== "") {
        headers["Last-Event-ID"] = String(last);
      }
      const answer = await fetch(url(path, query), { headers, signal, credentials: "same-origin" });
      if (answer.status === 204) {
        onState("over");
        return;
      }
      if (answer.status === 401) {
        onState("missing");
        sessionIsOver();
        return;
      }
      if (answer.status === 404 || answer.status === 403) {
        onState("missing");
        return;
      }
      if (!answer.ok || !answer.body) {
        throw new Error(`the stream answered ${answer.status}`);
      }
      onState("open");
      pause = FIRST_PAUSE;
      for await (const event of events(answer.body)) {
        if (event.id) {
          last = event.id;
        }
        listener(event);
      }
    } catch (failure) {
      if (signal.aborted) {
        return;
      }
    }
    onState("broken");
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause * (0.75 + Math.random() / 2));
      signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
    });
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        return;
      }
      rest += value;
      let end;
      while ((end = rest.indexOf("\n\n")) >= 0) {
        const event = read(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (event) {
          yield event;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function read(text) {
  const event = { id: "", type: "message", data: undefined };
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    else if (line.startsWith("event:")) event.type = line.slice(6).trim();
    else if (line.startsWith("id:")) event.id = line.slice(3).trim();
  }
  if (data.length === 0) {
    return null;
  }
  try {
    event.data = JSON.parse(data.join("\n"));
  } catch {
    event.data = data.join("\n");
  }
  return event;
}

/**
 * Follows a stream below `api/v1/` while the page is shown and visible.
 *
 * @param path null: none
 * @param after the id of the event behind which it begins
 * @param query parameters of the first request
 * @return the state of the stream: "closed", "open", "broken", "over", "missing"
 */
export function useStream(path, listener, after, query = {}) {
  const [state, setState] = useState("closed");
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => {
    if (!path) {
      setState("closed");
      return undefined;
    }
    let control = null;
    let last = after;
    const start = () => {
      if (control || document.hidden) return;
      control = new AbortController();
      follow("api/v1/" + path, query, last, (event) => {
        if (event.id) last = event.id;
        newest.current(event);
      }, setState, control.signal);
    };
    const stop = () => {
      if (control) control.abort();
      control = null;
    };
    const change = () => (document.hidden ? stop() : start());
    document.addEventListener("visibilitychange", change);
    start();
    return () => {
      document.removeEventListener("visibilitychange", change);
      stop();
    };
  }, [path]);
  return state;
}
