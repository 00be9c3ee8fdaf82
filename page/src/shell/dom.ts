// Makes elements. Texts stay texts; only mathematics that Python wrote, with every name escaped, is taken as markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element with attributes and children; a function under "onclick" and the like listens. */
export function make<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child || child === ""));
  return element;
}

/** Nodes of mathematics and escaped text that Python wrote. */
export function mathematics(markup: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/** A list of choices with their words. */
export function choice(
  label: string,
  options: [string, string][],
  chosen: string,
  pick: (value: string) => void,
): HTMLLabelElement {
  const select = make("select", { onchange: (event: Event) => pick((event.target as HTMLSelectElement).value) });
  for (const [value, word] of options) select.append(make("option", { value, selected: value === chosen }, word));
  return make("label", { class: "choice" }, make("span", {}, label), select);
}

export function button(word: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return make("button", { type: "button", onclick: press, ...attributes }, word);
}

/** A box to be ticked, with its word. */
export function box(word: string, on: boolean, turn: (on: boolean) => void): HTMLLabelElement {
  const input = make("input", { type: "checkbox", onchange: (event: Event) => turn((event.target as HTMLInputElement).checked) });
  input.checked = on;
  return make("label", { class: "box" }, input, word);
}

/** Hands a text to the browser as a file. */
export function download(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
