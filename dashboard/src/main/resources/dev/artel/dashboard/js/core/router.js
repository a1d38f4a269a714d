// Addresses: what stands behind # of the URL. A link that is copied shows the same page with the same filters.
import { useEffect, useState } from "./html.js";

/** The route of an address: its parts, and its parameters. */
export function parse(hash) {
  const text = hash.replace(/^#\/?/, "");
  const at = text.indexOf("?");
  const path = at < 0 ? text : text.slice(0, at);
  return {
    parts: path.split("/").filter((piece) => piece !== "").map(decode),
    query: new URLSearchParams(at < 0 ? "" : text.slice(at + 1)),
  };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page: `to(["jobs", id], {tab: "events"})`. */
export function to(parts, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      search.append(name, value);
    }
  }
  const path = "#/" + parts.map(encodeURIComponent).join("/");
  const text = search.toString();
  return text ? path + "?" + text : path;
}

export function go(address) {
  location.hash = address;
}

/** Changes parameters of the present address; `replace` adds no entry to the history of the browser. */
export function setQuery(changes, { replace = true } = {}) {
  const route = parse(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === null || value === "") {
      route.query.delete(name);
    } else {
      route.query.set(name, value);
    }
  }
  const address = to(route.parts, Object.fromEntries(route.query));
  if (replace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = address;
  }
}

export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const change = () => setRoute(parse(location.hash));
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return route;
}
