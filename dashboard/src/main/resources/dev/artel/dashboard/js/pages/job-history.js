// The events of a job in pieces. A job may have a million of them: only what is looked at is loaded.
import { useCallback, useEffect, useRef, useState } from "../core/html.js";
import { get } from "../core/api.js";

export const PIECE = 200;
const KEPT = 60;

/** Milliseconds before a piece that could not be read is read again. */
const PAUSE = 5000;

/** Events behind `after`, at most `limit`; a page may end early where events are large. */
export async function eventsAfter(path, after, limit, signal) {
  const found = [];
  let last = after;
  while (found.length < limit) {
    const page = await get(`${path}/history`, { after: last, limit: Math.min(1000, limit - found.length) }, signal);
    found.push(...page.items);
    if (page.items.length === 0 || !page.next_cursor) break;
    last = page.items.at(-1).version;
  }
  return found;
}

/**
 * Random access by version: `at(version)` gives an event or undefined and has its piece loaded.
 *
 * @param count how many events the job has
 */
export function useHistory(path, count) {
  const pieces = useRef(new Map());
  const wanted = useRef(new Set());
  const [, render] = useState(0);
  const [problem, setProblem] = useState(null);
  const control = useRef(null);
  const failedAt = useRef(0);
  useEffect(() => {
    control.current = new AbortController();
    pieces.current = new Map();
    wanted.current = new Set();
    return () => control.current.abort();
  }, [path]);

  const load = useCallback(async (number) => {
    if (wanted.current.has(number) || Date.now() - failedAt.current < PAUSE) return;
    wanted.current.add(number);
    try {
      const items = await eventsAfter(path, number * PIECE, PIECE, control.current.signal);
      pieces.current.set(number, items);
      if (pieces.current.size > KEPT) pieces.current.delete(pieces.current.keys().next().value);
      setProblem(null);
      render((old) => old + 1);
    } catch (failure) {
      if (failure.name !== "AbortError") {
        failedAt.current = Date.now();
        setProblem(failure);
      }
    } finally {
      wanted.current.delete(number);
    }
  }, [path]);

  const at = useCallback((version) => {
    const piece = pieces.current.get(Math.floor((version - 1) / PIECE));
    return piece && piece[(version - 1) % PIECE];
  }, []);
  const need = useCallback((first, last) => {
    for (let number = Math.floor(Math.max(0, first) / PIECE); number <= Math.floor(Math.max(0, last - 1) / PIECE); number++) {
      const piece = pieces.current.get(number);
      const isWhole = piece && (piece.length === PIECE || number * PIECE + piece.length >= count);
      if (!isWhole) load(number);
    }
  }, [load, count]);
  const retry = useCallback(() => {
    failedAt.current = 0;
    setProblem(null);
  }, []);
  return { at, need, problem, retry };
}
