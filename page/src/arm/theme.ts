// Whether the page is dark: as it was chosen there, or as the system has it.
const DARK = "(prefers-color-scheme: dark)";

export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia(DARK).matches;
}

/** Calls a listener when light and dark change; returns what ends that. */
export function onTheme(listener: (dark: boolean) => void): () => void {
  const system = matchMedia(DARK), heard = () => listener(isDark());
  const chosen = new MutationObserver(heard);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", heard);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", heard);
  };
}
