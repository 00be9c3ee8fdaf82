// What a person does on the page, for its tests and its benchmark.
export const SOON = { timeout: 90_000 };
/** Waits for a promise, but not longer than for anything else; what: says what was awaited. */
export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${SOON.timeout / 1000} s were not enough for ${what}`)), SOON.timeout)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const cell = (...place) => `[data-place='${JSON.stringify(place)}']`;
export const go = (page, view) => page.click(`[data-view="${view}"]`);

/** Chooses a quantity, and waits until it is set. */
export async function choose(page, quantity) {
  await page.click(`[data-quantity="${quantity}"]`);
  await page.waitForFunction(() => !document.querySelector(".waiting") && !!document.querySelector(".equations .term"), null, SOON);
}

/** Picks a robot of the zoo. */
export async function pick(page, name) {
  await go(page, "robot");
  await page.selectOption(".robot > .bar select >> nth=0", name);
  await page.waitForFunction((title) => document.querySelector('[data-place=\'["name"]\']')?.value === title, name, SOON);
}

/** Opens the document of a report's nth file in a page of its own, once the preview below the files is there. */
export async function openDocument(page, nth) {
  await page.frameLocator(".report iframe").locator("section").first().waitFor(SOON);
  const button = page.locator(`.files li:nth-child(${nth}) button`).first();
  const [popup] = await Promise.all([page.context().waitForEvent("page", SOON), button.click()]);
  await popup.waitForSelector("section", SOON);
  return popup;
}
