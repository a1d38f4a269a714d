// Icons as elements: 16 units wide, drawn with the colour of the text around them.
import { h } from "../core/html.js";

const LINES = {
  overview: ["M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5V7M13.5 13.5V2.5"],
  jobs: ["M2.5 3.5h11M2.5 8h11M2.5 12.5h7"],
  needs: ["M8 8.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z", "M3 13.5c.5-2.4 2.5-3.6 5-3.6s4.500 1.200 5 3.600"],
  workers: ["M2.500 3h11v4h-11zM2.500 9h11v4h-11z", "M5 5h.01M5 11h.01"],
  definitions: ["M6 3.500H3v3h3zM13 9.500h-3v3h3zM6 9.500H3v3h3z", "M6 5h5.500v4.500M4.500 6.500v3M6 11h4"],
  schedules: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M8 4.800V8l2.300 1.600"],
  system: ["M2.500 4.500h6M12 4.500h1.500M2.500 11.500H4M7.500 11.500h6", "M10.200 6.300a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600ZM5.800 13.300a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z"],
  search: ["M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM10.400 10.400l3.100 3.100"],
  more: ["M3.500 8h.01M8 8h.01M12.500 8h.01"],
  sun: ["M8 10.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600Z", "M8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M3.400 12.600l.9-.9M11.700 4.300l.9-.9"],
  moon: ["M13.200 9.600A5.700 5.700 0 0 1 6.400 2.800a5.700 5.700 0 1 0 6.800 6.800Z"],
  close: ["M3.500 3.500l9 9M12.500 3.500l-9 9"],
  copy: ["M5.500 5.500h8v8h-8z", "M10.500 5.500v-3h-8v8h3"],
  done: ["M3 8.500l3.200 3.200L13 4.800"],
  right: ["M6 3.500L10.500 8 6 12.500"],
  left: ["M10 3.500L5.500 8 10 12.500"],
  down: ["M3.500 6L8 10.500 12.500 6"],
  arrow: ["M2.500 8h11M9.500 4l4 4-4 4"],
  plus: ["M8 3v10M3 8h10"],
  download: ["M8 2.500v8M4.500 7.500L8 11l3.500-3.500M2.500 13.500h11"],
  exit: ["M6 2.500H2.500v11H6M6.500 8h7M10.500 5l3 3-3 3"],
  info: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M8 7.500V11M8 5.200v.01"],
  warn: ["M8 2.200L14.500 13.500h-13zM8 6.500v3.200M8 11.700v.01"],
  key: ["M10.500 8.500a3.200 3.200 0 1 0-3-2L2.500 11.500v2h2v-1.500H6v-1.500h1.500z"],
  refresh: ["M13.300 6.200A5.500 5.500 0 1 0 13.500 9M13.500 2.500v3.700H9.800"],
  spinner: ["M8 2a6 6 0 1 0 6 6"],
  edit: ["M3 13l.7-3L10.500 3.200l2.300 2.300L6 12.300z"],
  trash: ["M3 4.500h10M6 4.500V3h4v1.500M4.300 4.500l.6 9h6.200l.6-9"],
  fork: ["M4.500 6.200a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400ZM11.500 6.200a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400ZM8 13.700a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400Z", "M4.500 6.200c0 2 3.500 2 3.500 4.100M11.500 6.200c0 2-3.500 2-3.500 4.100"],
  rewind: ["M7.500 4v8L2.500 8zM13.500 4v8l-5-4z"],
  bolt: ["M9 2L3.500 9H8l-1 5 5.500-7H8z"],
  // marks of statuses
  ring: ["M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10Z"],
  play: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M6.700 5.600v4.800L10.500 8z"],
  full: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M5 8h6M5 10h6M5 6h6"],
  queue: ["M3 4h10M3 8h10M3 12h5M11 12h.01M13.300 12h.01"],
  split: ["M2.500 8h3M5.500 8c2 0 2-4.500 4-4.500h4M5.500 8c2 0 2 4.500 4 4.500h4M5.500 8h8"],
  child: ["M3.500 2.500v6a2 2 0 0 0 2 2h6M8.500 7l3.500 3.500L8.500 14"],
  person: ["M8 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM3 13.500c.4-2.500 2.400-3.800 5-3.800s4.600 1.300 5 3.800"],
  question: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M6.300 6.400c.1-1 .8-1.600 1.700-1.600 1 0 1.700.6 1.700 1.500 0 1.300-1.700 1.400-1.700 2.500M8 11v.01"],
  signal: ["M8 9.200a1.200 1.200 0 1 0 0-2.400 1.200 1.200 0 0 0 0 2.400Z", "M5 11a4.200 4.200 0 0 1 0-6M11 5a4.200 4.200 0 0 1 0 6M3 13a7 7 0 0 1 0-10M13 3a7 7 0 0 1 0 10"],
  clock: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M8 4.800V8l2.300 1.600"],
  retry: ["M13.300 6.200A5.500 5.500 0 1 0 13.500 9M13.500 2.500v3.700H9.800"],
  undo: ["M3 6.500h6.500a3.500 3.500 0 0 1 0 7H6M6 3L2.500 6.500 6 10"],
  alert: ["M8 2.200L14.500 13.500h-13zM8 6.500v3.200M8 11.700v.01"],
  check: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M5.300 8.200l1.900 1.900 3.500-3.800"],
  cross: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M6 6l4 4M10 6l-4 4"],
  stop: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M5.500 8h5"],
  pause: ["M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z", "M6.500 6v4M9.500 6v4"],
  drain: ["M2.500 3h11l-4 5v4.500l-3 1V8z"],
};

/** @param name one of the icons; unknown names draw a ring */
export function Icon({ name, size = 16, class: extra, title }) {
  const lines = Object.hasOwn(LINES, name) ? LINES[name] : LINES.ring;
  return h(
    "svg",
    {
      width: size,
      height: size,
      viewBox: "0 0 16 16",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": name === "more" ? 2.2 : 1.4,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      class: extra,
      role: title ? "img" : undefined,
      "aria-label": title,
      "aria-hidden": title ? undefined : "true",
    },
    lines.map((d) => h("path", { d })),
  );
}

/** The sign of Artel: a guild under one roof. */
export function Logo({ size = 22 }) {
  return h(
    "svg",
    { width: size, height: size, viewBox: "0 0 24 24", fill: "none", "aria-hidden": "true" },
    h("path", { d: "M3.500 20 12 4l8.500 16", stroke: "currentColor", "stroke-width": 2.4, "stroke-linecap": "round", "stroke-linejoin": "round" }),
    h("circle", { cx: 12, cy: 15.400, r: 2.600, style: { fill: "var(--accent)" } }),
  );
}
