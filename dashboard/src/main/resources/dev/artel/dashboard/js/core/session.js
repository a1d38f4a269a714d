// Who looks at the page. The token itself never stays here: the orchestrator keeps the session in a cookie that scripts cannot read.
import { createContext, useContext } from "./html.js";
import { request, setCsrf } from "./api.js";

export const SessionContext = createContext(null);

/** The session: `client`, `role`. */
export const useSession = () => useContext(SessionContext);

/** Whether the role may change jobs, and whether it may operate the orchestrator. */
export function rights(session) {
  const role = session ? session.role : "viewer";
  return { acts: role !== "viewer", operates: role === "operator" || role === "admin", seesAll: role !== "client" };
}

export const useRights = () => rights(useSession());

export const currentSession = () => take(request("GET", "ui/session"));

/** Logs in. A code of another client than the one that is logged in is refused (`session_open`), unless the person `replaces` the session. */
export const logIn = (proof, replaces = false) => take(request("POST", "ui/session", { body: proof, isBare: !replaces }));

/** Whom a link logs in: `client` and `role`. The link is still good. */
export const lookAtLink = (code) => request("POST", "ui/session/links/look", { body: { code }, isBare: true });

export async function logOut() {
  await request("DELETE", "ui/session");
  setCsrf("");
}

async function take(answer) {
  const session = await answer;
  setCsrf(session.csrf);
  return session;
}
