// Requests to the orchestrator. An answer with an error becomes a Problem, whose words pages show where the act was.

/** The address of the orchestrator, also behind a proxy that serves it below a path. */
const ROOT = new URL(".", document.baseURI);

let csrf = "";
let onUnauthorized = () => {};

/** Sets the token that requests which change something carry. */
export function setCsrf(token) {
  csrf = token || "";
}

/** Sets what is called when the session is over. */
export function whenUnauthorized(listener) {
  onUnauthorized = listener;
}

/** Reports that the session is over, as the answer 401 to a stream shows. */
export function sessionIsOver() {
  onUnauthorized();
}

/** An error of the API (RFC 9457), or of the way to it (status 0). */
export class Problem extends Error {
  constructor(status, document) {
    super(document.error || document.title || `The orchestrator answered ${status}`);
    this.name = "Problem";
    this.status = status;
    this.code = document.code || "";
    this.detail = document.detail || "";
    this.problems = Array.isArray(document.problems) ? document.problems : [];
    this.problemId = document.id || "";
  }

  /** Whether this orchestrator has no such route: it is older than the page. */
  get isMissingRoute() {
    return this.status === 404 && (this.code === "not_found" || this.code === "");
  }
}

/** The URL of a path such as `api/v1/jobs` with parameters; empty ones are left out. */
export function url(path, query = {}) {
  const address = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      address.searchParams.append(name, String(value));
    }
  }
  return address;
}

/** A part of a path. */
export function part(text) {
  return encodeURIComponent(text);
}

export async function request(method, path, { body, query, signal, headers = {}, raw, isBare } = {}) {
  const all = { Accept: "application/json", ...headers };
  if (body !== undefined && !raw) {
    all["Content-Type"] = "application/json";
  }
  if (method !== "GET" && csrf && !isBare) {
    all["X-Artel-CSRF"] = csrf;
  }
  let answer;
  try {
    answer = await fetch(url(path, query), {
      method,
      headers: all,
      signal,
      credentials: "same-origin",
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
  } catch (failure) {
    if (failure.name === "AbortError") {
      throw failure;
    }
    throw new Problem(0, {
      error: "The orchestrator cannot be reached",
      detail: "It may be restarting. The page tries again by itself; check that it runs: ./artel up",
    });
  }
  const text = await answer.text();
  const document = parse(text, answer.headers.get("Content-Type") || "");
  if (!answer.ok) {
    if (answer.status === 401 && !path.startsWith("ui/session")) {
      onUnauthorized();
    }
    throw new Problem(answer.status, document && typeof document === "object" ? document : { detail: text.slice(0, 500) });
  }
  return document;
}

function parse(text, type) {
  if (!text || !type.includes("json")) {
    return text;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const V1 = "api/v1/";

export const get = (path, query, signal) => request("GET", V1 + path, { query, signal });
export const post = (path, body, query, headers) => request("POST", V1 + path, { body, query, headers });
export const put = (path, body) => request("PUT", V1 + path, { body });
export const patch = (path, body) => request("PATCH", V1 + path, { body });
export const remove = (path, query) => request("DELETE", V1 + path, { query });
