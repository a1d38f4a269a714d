// The entry: who looks, then which page.
import { html, render, useCallback, useEffect, useState } from "./core/html.js";
import { whenUnauthorized } from "./core/api.js";
import { currentSession, logIn, lookAtLink, SessionContext } from "./core/session.js";
import { Shell } from "./components/shell.js";
import { toast } from "./components/toast.js";
import { Away, LinkLogin, Login, OtherClient } from "./pages/login.js";

/** Milliseconds before an orchestrator that does not answer is asked again. */
const AGAIN = 2000;

/** The proof of a one-time link, `#code=...`; it leaves the address at once. */
function takeCode() {
  const match = /^#code=([^&]+)$/.exec(location.hash);
  if (match) history.replaceState(null, "", "#/");
  return match ? decodeURIComponent(match[1]) : null;
}

function App() {
  const [state, setState] = useState({ isReady: false, session: null, problem: null });
  // A link that anybody may have sent logs nobody in as another client without an act of the person.
  const ask = async (code) => {
    try {
      setState({ isReady: true, session: await currentSession(), problem: null, code });
    } catch (problem) {
      setState({ isReady: true, session: null, problem: problem.status === 401 ? null : problem });
    }
  };
  // A link that is not good any more ends no session that is.
  const stay = async () => {
    try {
      setState({ isReady: true, session: await currentSession(), problem: null });
      toast("That link was used or is too old. You are still logged in.");
    } catch (problem) {
      setState({ isReady: true, session: null, isLinkOver: true, problem: problem.status === 401 ? null : problem });
    }
  };
  // Nor as the first one: the maker of the link would see what the person does. Where it is not known who is in, the link is not used.
  const isOut = () => currentSession().then(() => false, (problem) => {
    if (problem.status === 401) return true;
    throw problem;
  });
  const begin = useCallback(async (code) => {
    try {
      if (code && await isOut()) {
        setState({ isReady: true, session: null, problem: null, code, link: await lookAtLink(code) });
        return;
      }
      const session = await (code ? logIn({ code }) : currentSession());
      setState({ isReady: true, session, problem: null });
    } catch (problem) {
      if (code && problem.code === "session_open") {
        await ask(code);
        return;
      }
      if (code && problem.status === 401) {
        await stay();
        return;
      }
      const isAway = problem.status === 0 || problem.status >= 500;
      setState({ isReady: true, session: null, isAway, problem: problem.status === 401 && !code ? null : problem });
      if (isAway && !code) setTimeout(() => begin(null), AGAIN);
    }
  }, []);
  useEffect(() => {
    whenUnauthorized(() => setState((old) => (old.session ? { isReady: true, session: null, problem: null, isOver: true } : old)));
    const link = () => {
      const code = takeCode();
      if (code) begin(code);
    };
    addEventListener("hashchange", link);
    begin(takeCode());
    return () => removeEventListener("hashchange", link);
  }, []);
  if (!state.isReady) return null;
  if (state.isAway) return html`<${Away} problem=${state.problem} />`;
  const go = (session) => setState({ isReady: true, session, problem: null });
  if (state.link) {
    const leave = () => setState({ isReady: true, session: null, problem: null });
    return html`<${LinkLogin} link=${state.link} code=${state.code} onLogin=${go} onLeave=${leave} />`;
  }
  if (!state.session) {
    return html`<${Login} problem=${state.problem} isOver=${state.isOver} isLinkOver=${state.isLinkOver} onLogin=${go} />`;
  }
  if (state.code) {
    return html`<${OtherClient} session=${state.session} code=${state.code} onLogin=${go} onStay=${() => go(state.session)} />`;
  }
  return html`<${SessionContext.Provider} value=${state.session}>
    <${Shell} onLogout=${() => setState({ isReady: true, session: null, problem: null })} />
  </${SessionContext.Provider}>`;
}

render(html`<${App} />`, document.getElementById("app"));
