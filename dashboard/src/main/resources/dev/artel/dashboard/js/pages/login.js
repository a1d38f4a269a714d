// Login with a token. The token goes to the orchestrator once and is not kept by the page.
import { html, useState } from "../core/html.js";
import { logIn } from "../core/session.js";
import { Command, Note, ProblemNote } from "../components/basics.js";
import { useAct } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { Icon, Logo } from "../components/icon.js";

export function Login({ problem, isOver, onLogin }) {
  const [token, setToken] = useState("");
  const running = useAct(async () => onLogin(await logIn({ token: token.trim() })));
  const submit = (event) => {
    event.preventDefault();
    if (token.trim()) running.run();
  };
  return html`<main class="login"><div class="login-card">
    <h1 class="brand"><${Logo} size=${28} />Artel</h1>
    ${isOver && !running.problem && html`<${Note} tone="wait" icon="clock">Your session has ended. Log in again and you are back where you were.</${Note}>`}
    <div class="panel"><form class="form" onSubmit=${submit} data-test="login">
      <${TextField} label="Token" type="password" mono value=${token} onInput=${setToken} autocomplete="current-password" placeholder="Token of a client"
        hint="Of a client in clients.toml, or the one that the first start made." />
      <${ProblemNote} problem=${running.problem || problem} />
      <button type="submit" class="btn btn-main" disabled=${running.isBusy || !token.trim()}>${running.isBusy ? html`<${Icon} name="spinner" class="spin" />` : html`<${Icon} name="key" />`}Log in</button>
    </form></div>
    <div class="stack-s"><p class="soft">A link that logs you in once:</p><${Command} text="./artel dashboard" /></div>
  </div></main>`;
}

/** The orchestrator does not answer: the page waits for it. */
export function Away({ problem }) {
  return html`<main class="login"><div class="login-card" role="status">
    <h1 class="brand"><${Logo} size=${28} />Artel</h1>
    <${Note} tone="wait" icon="clock"><strong>${problem.message}</strong><p>${problem.detail}</p><p class="soft">The page goes on by itself as soon as it answers.</p></${Note}>
    <${Command} text="./artel up" />
  </div></main>`;
}
