// Runs before the first paint, so that a dark page never flashes light. Not a module: modules run too late.
(function () {
  const KEY = "artel-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  function chosen() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is switched off: the system decides
    }
  }
  function apply() {
    const theme = chosen() || (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new CustomEvent("artel-theme", { detail: theme }));
  }
  dark.addEventListener("change", apply);
  addEventListener("artel-theme-choice", (event) => {
    try {
      localStorage.setItem(KEY, event.detail);
    } catch {
      document.documentElement.dataset.theme = event.detail;
      return;
    }
    apply();
  });
  apply();
})();
