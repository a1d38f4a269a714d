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
  const kept = useRef(null);
  const [, render] = useState(0);
  const [problem, setProblem] = useState(null);
  // As it is rendered, not in an effect: rows ask for their events before effects of this component run.
  if (kept.current === null || kept.current.path !== path) {
    kept.current = { path, pieces: new Map(), wanted: new Set(), control: new AbortController(), failedAt: 0 };
  }
  useEffect(() => {
    const mine = kept.current;
    return () => mine.control.abort();
  }, [path]);

  const load = useCallback(async (number) => {
    const mine = kept.current;
    if (mine.wanted.has(number) || Date.now() - mine.failedAt < PAUSE) return;
    mine.wanted.add(number);
    try {
      const items = await eventsAfter(path, number * PIECE, PIECE, mine.control.signal);
      mine.pieces.set(number, items);
      if (mine.pieces.size > KEPT) mine.pieces.delete(mine.pieces.keys().next().value);
      setProblem(null);
      render((old) => old + 1);
    } catch (failure) {
      if (failure.name !== "AbortError") {
        mine.failedAt = Date.now();
        setProblem(failure);
      }
    } finally {
      mine.wanted.delete(number);
    }
  }, [path]);

  const at = useCallback((version) => {
    const piece = kept.current.pieces.get(Math.floor((version - 1) / PIECE));
    return piece && piece[(version - 1) % PIECE];
  }, []);
  const need = useCallback((first, last) => {
    for (let number = Math.floor(Math.max(0, first) / PIECE); number <= Math.floor(Math.max(0, last - 1) / PIECE); number++) {
      const piece = kept.current.pieces.get(number);
      const isWhole = piece && (piece.length === PIECE || number * PIECE + piece.length >= count);
      if (!isWhole) load(number);
    }
  }, [load, count]);
  const retry = useCallback(() => {
    kept.current.failedAt = 0;
    setProblem(null);
  }, []);
  return { at, need, problem, retry };
}
