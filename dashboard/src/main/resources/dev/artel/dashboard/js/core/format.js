// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export const count = (number) => (number === undefined || number === null ? "-" : whole.format(number));
export const compact = (number) => (number === undefined || number === null ? "-" : Math.abs(number) < 10000 ? whole.format(number) : short.format(number));
export const plural = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;

/** A length of time: `340 ms`, `4.1 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`. */
export function duration(milliseconds) {
  if (milliseconds === undefined || milliseconds === null || Number.isNaN(milliseconds)) return "-";
  const ms = Math.max(0, milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, "min", Math.floor(seconds % 60), "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, "h", minutes % 60, "min");
  return two(Math.floor(hours / 24), "d", hours % 24, "h");
}

function two(a, unitA, b, unitB) {
  return b ? `${a} ${unitA} ${b} ${unitB}` : `${a} ${unitA}`;
}

/** `4 s ago`, `in 3 min`. */
export function relative(at, now = Date.now()) {
  const gap = Date.parse(at) - now;
  if (Number.isNaN(gap)) return "-";
  if (Math.abs(gap) < 1500) return "now";
  const text = coarse(Math.abs(gap));
  return gap < 0 ? `${text} ago` : `in ${text}`;
}

function coarse(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.round(hours / 24)} d`;
}

export function timeOfDay(at, withMillis = false) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "-";
  return withMillis ? `${clock.format(date)}.${String(date.getMilliseconds()).padStart(3, "0")}` : clock.format(date);
}

/** A moment: the time today, else with the day. */
export function moment(at) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "-";
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return `${(date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date)}, ${clock.format(date)}`;
}

export function bytes(number) {
  if (number === undefined || number === null) return "-";
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let value = number;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? whole.format(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** The end of an id, which differs most between neighbours. */
export const shortId = (id) => (id && id.length > 14 ? id.slice(0, 4) + "…" + id.slice(-6) : id || "-");

/** A word of the API as text: `waiting_for_worker` becomes `waiting for worker`. */
export const words = (text) => String(text || "").replaceAll("_", " ");

/** A value in one line. */
export function brief(value, most = 120) {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

export const latency = (ms) => (ms === undefined || ms === null ? "-" : duration(ms));
