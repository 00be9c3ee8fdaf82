// Whether the page is dark: as it was chosen there or in the notebook that shows a view, or as the system has it.
const DARK = "(prefers-color-scheme: dark)";

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"], { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return !vscodeThemeKind.includes("light");
  return chosen ? chosen === "dark" : matchMedia(DARK).matches;
}

/** Calls a listener when light and dark change; returns a function that ends this. */
export function onTheme(listener: (dark: boolean) => void): () => void {
  const system = matchMedia(DARK), heard = () => listener(isDark());
  const chosen = new MutationObserver(heard);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  chosen.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"] });
  system.addEventListener("change", heard);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", heard);
  };
}
