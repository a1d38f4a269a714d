// Templates without a build step. Texts become text nodes: nothing here parses markup at run time.
import { h, render, Fragment, createContext } from "../../lib/preact.js";
import htm from "../../lib/htm.js";

export { useCallback, useContext, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "../../lib/hooks.js";
export const html = htm.bind(h);
export { h, render, Fragment, createContext };
