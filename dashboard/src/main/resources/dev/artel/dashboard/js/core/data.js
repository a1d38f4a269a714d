// What a page has asked for: the answer, or the problem, or neither yet.
import { useCallback, useEffect, useRef, useState } from "./html.js";
import { get } from "./api.js";

/**
 * Loads and keeps the newest answer; the earlier one stays while the next is under way.
 *
 * @param key another key loads anew; null loads nothing
 * @param load gets an AbortSignal
 * @param every milliseconds between loads while the page is visible; 0: once
 */
export function useLoad(key, load, every = 0) {
  const [state, setState] = useState({ key: null, data: undefined, problem: null });
  const running = useRef(null);
  const newest = useRef(load);
  newest.current = load;
  const reload = useCallback(async () => {
    if (key === null) return;
    if (running.current) running.current.abort();
    const control = new AbortController();
    running.current = control;
    try {
      const data = await newest.current(control.signal);
      if (!control.signal.aborted) setState({ key, data, problem: null });
    } catch (problem) {
      if (problem.name !== "AbortError" && !control.signal.aborted) {
        setState((old) => ({ key, data: old.key === key ? old.data : undefined, problem }));
      }
    } finally {
      if (running.current === control) running.current = null;
    }
  }, [key]);
  useEffect(() => {
    reload();
    if (!every) return () => running.current && running.current.abort();
    const timer = setInterval(() => {
      if (!document.hidden && !running.current) reload();
    }, every);
    return () => {
      clearInterval(timer);
      if (running.current) running.current.abort();
    };
  }, [key, every, reload]);
  const isNew = state.key === key;
  return {
    data: isNew ? state.data : undefined,
    problem: isNew ? state.problem : null,
    isLoading: key !== null && (!isNew || (state.data === undefined && !state.problem)),
    reload,
  };
}

/** The same for one GET of the API. */
export function useGet(path, query, every) {
  const key = path === null ? null : path + "?" + JSON.stringify(query || {});
  return useLoad(key, (signal) => get(path, query, signal), every);
}

/**
 * A list by cursor: `items`, `more()` for the next page, `reload()` for the first one again.
 *
 * @param key another key begins anew; null loads nothing
 */
export function usePages(key, path, query, limit = 100) {
  const [state, setState] = useState({ key: null, items: [], cursor: undefined, problem: null, isLoading: true });
  const running = useRef(null);
  const load = useCallback(async (cursor, isMore) => {
    if (key === null) return;
    if (running.current) {
      if (isMore) return;
      running.current.abort();
    }
    const control = new AbortController();
    running.current = control;
    setState((old) => ({ ...(old.key === key ? old : { key, items: [], cursor: undefined }), problem: null, isLoading: true }));
    try {
      const page = await get(path, { ...query, limit, cursor }, control.signal);
      if (control.signal.aborted) return;
      setState((old) => ({
        key,
        items: isMore ? old.items.concat(page.items) : page.items,
        cursor: page.next_cursor,
        problem: null,
        isLoading: false,
      }));
    } catch (problem) {
      if (problem.name !== "AbortError" && !control.signal.aborted) {
        setState((old) => ({ ...old, key, problem, isLoading: false }));
      }
    } finally {
      if (running.current === control) running.current = null;
    }
  }, [key]);
  useEffect(() => {
    load(undefined, false);
    return () => running.current && running.current.abort();
  }, [key, load]);
  const isNew = state.key === key;
  const reload = useCallback(() => load(undefined, false), [load]);
  const more = useCallback(() => {
    if (state.cursor && !state.problem) load(state.cursor, true);
  }, [load, state.cursor, state.problem]);
  return {
    items: isNew ? state.items : [],
    hasMore: isNew && Boolean(state.cursor),
    problem: isNew ? state.problem : null,
    isLoading: key !== null && (!isNew || state.isLoading),
    more,
    reload,
  };
}

/** Calls `act` at most once in `pause` milliseconds, and once more for what came meanwhile. */
export function useThrottled(act, pause) {
  const newest = useRef(act);
  newest.current = act;
  const timer = useRef(0);
  const last = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    if (timer.current) return;
    const wait = Math.max(0, last.current + pause - Date.now());
    timer.current = setTimeout(() => {
      timer.current = 0;
      last.current = Date.now();
      newest.current();
    }, wait);
  }, [pause]);
}
