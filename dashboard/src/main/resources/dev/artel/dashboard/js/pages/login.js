// Login with a token. The token goes to the orchestrator once and is not kept by the page.
import { html, useState } from "../core/html.js";
import { logIn } from "../core/session.js";
import { Command, Note, ProblemNote } from "../components/basics.js";
import { useAct } from "../components/dialog.js";
import { TextField } from "../components/fields.js";
import { Icon, Logo } from "../components/icon.js";

export function Login({ problem, isOver, isLinkOver, onLogin }) {
  const [token, setToken] = useState("");
  const running = useAct(async () => onLogin(await logIn({ token: token.trim() })));
  const submit = (event) => {
    event.preventDefault();
    if (token.trim()) running.run();
  };
  return html`<main class="login"><div class="login-card">
    <h1 class="brand"><${Logo} size=${28} />Artel</h1>
    ${isOver && !running.problem && html`<${Note} tone="wait" icon="clock">Your session has ended. Log in again and you are back where you were.</${Note}>`}
    ${isLinkOver && !running.problem && html`<div role="alert" data-test="link-over"><${Note} tone="wait" icon="clock">This link was used or is too old: it logs in once, within five minutes. Make a new one with <code>./artel dashboard</code>, or log in with a token.</${Note}></div>`}
    <div class="panel"><form class="form" onSubmit=${submit} data-test="login">
      <${TextField} label="Token" type="password" mono value=${token} onInput=${setToken} autocomplete="current-password" placeholder="Token of a client"
        hint="Of a client in clients.toml, or the one that the first start made." />
      <${ProblemNote} problem=${running.problem || problem} />
      <button type="submit" class="btn btn-main" disabled=${running.isBusy || !token.trim()}>${running.isBusy ? html`<${Icon} name="spinner" class="spin" />` : html`<${Icon} name="key" />`}Log in</button>
    </form></div>
    <div class="stack-s"><p class="soft">A link that logs you in once:</p><${Command} text="./artel dashboard" /></div>
  </div></main>`;
}

/** A link was opened while nobody is logged in: somebody else may have made it. */
export function LinkLogin({ link, code, onLogin, onLeave }) {
  const running = useAct(async () => onLogin(await logIn({ code })));
  const submit = (event) => {
    event.preventDefault();
    running.run();
  };
  return html`<main class="login"><div class="login-card">
    <h1 class="brand"><${Logo} size=${28} />Artel</h1>
    <div class="panel"><form class="form" onSubmit=${submit} data-test="link-login">
      <h2>Log in as ${link.client}?</h2>
      <p>The link that was opened logs you in at <strong>${location.origin}</strong> as the client <strong>${link.client}</strong> (${link.role}). Go on only if you asked for it yourself: all who share this client see what you do.</p>
      <${ProblemNote} problem=${running.problem} />
      <button type="submit" class="btn btn-main" disabled=${running.isBusy} data-test="log-in"><${Icon} name="key" />Log in as ${link.client}</button>
      <button type="button" class="btn" onClick=${onLeave} data-test="leave">Do not log in</button>
    </form></div>
  </div></main>`;
}

/** A link of another client was opened while somebody is logged in. */
export function OtherClient({ session, code, onLogin, onStay }) {
  const running = useAct(async () => onLogin(await logIn({ code }, true)));
  const submit = (event) => {
    event.preventDefault();
    running.run();
  };
  return html`<main class="login"><div class="login-card">
    <h1 class="brand"><${Logo} size=${28} />Artel</h1>
    <div class="panel"><form class="form" onSubmit=${submit} data-test="other-client">
      <h2>Log in as another client?</h2>
      <p>You are logged in as <strong>${session.client}</strong>. The link that was opened is one of another client. Go on only if you asked for it yourself.</p>
      <${ProblemNote} problem=${running.problem} />
      <button type="button" class="btn btn-main" onClick=${onStay} data-test="stay">Stay ${session.client}</button>
      <button type="submit" class="btn" disabled=${running.isBusy} data-test="replace"><${Icon} name="key" />Log in as the other client</button>
    </form></div>
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
