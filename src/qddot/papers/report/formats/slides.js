"use strict";
// Continues slides whose parts have no room on further ones, and shows one slide at a time.
const LARGER = [1.3, 1.2, 1.1], SIZES = [1, 0.92, 0.85, 0.78], LEAST = 0.45; // of letters
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const body = (slide) => slide.querySelector(".body");
const overflows = (slide) => body(slide).scrollHeight > body(slide).clientHeight + 1;

/** Returns how many times as wide as its room each part is that has none. */
function wide(slide) {
  const sized = all("table, .right, .left, p, pre, figure", slide).map((part) => {
    const is = part.tagName === "TABLE";
    return [part, is ? part.offsetWidth : part.scrollWidth, is ? part.parentElement.clientWidth : part.clientWidth];
  });
  return sized.filter(([, width, room]) => width > room + 1).map(([part, width, room]) => [part, width / room]);
}

/** Makes what is wider than its room smaller. */
function narrow(slide) {
  for (const [part, times] of wide(slide))
    part.style.fontSize = `${Math.max(LEAST, 0.98 / times) * parseFloat(getComputedStyle(part).fontSize)}px`;
}

/** Returns the list of rows or lines of a part of a slide, if it has such. */
const listOf = (part) => (part.matches(".parts") ? part : part.querySelector(".parts"));

/** Returns an empty slide after another, with its title. */
function continued(slide) {
  const next = slide.cloneNode();
  next.id = "";
  for (const part of slide.children) next.append(part.cloneNode(part !== body(slide)));
  slide.after(next);
  return next;
}

/** Returns an empty list of parts at the beginning of a slide, like the one that is divided. */
function listLike(list, next) {
  const whole = list.closest("table") ?? list, first = body(next).firstElementChild;
  if (first && first.dataset.of === whole.dataset.of) return listOf(first);
  const copy = whole.cloneNode(), parts = whole === list ? copy : list.cloneNode();
  if (whole !== list) copy.append(whole.querySelector("thead").cloneNode(true), parts);
  body(next).prepend(copy);
  return parts;
}

/** Moves the last terms of an equation that fills a whole slide to the next one. */
function splitEquation(row, slide, next) {
  const right = row.querySelector(".right");
  if (!right || right.children.length < 2) return false;
  const rest = row.cloneNode(true), left = rest.querySelector(".left"), other = rest.querySelector(".right");
  left.id = "";
  left.replaceChildren("…");
  other.replaceChildren();
  row.querySelector(".number").replaceChildren();
  const terms = [...right.childNodes]; // with the places between them where a line may end
  let [least, most] = [1, terms.length];
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    right.replaceChildren(...terms.slice(0, middle));
    if (overflows(slide)) most = middle - 1;
    else least = middle;
  }
  right.replaceChildren(...terms.slice(0, least));
  other.append(...terms.slice(least));
  listLike(row.parentElement, next).prepend(rest);
  return true;
}

/** Moves the last part of a slide to the next one; returns whether that was possible. */
function moveLast(slide, next) {
  const last = body(slide).lastElementChild, list = listOf(last);
  if (list && list.children.length > 1) {
    last.dataset.of ||= `${Math.random()}`;
    listLike(list, next).prepend(list.lastElementChild);
    return true;
  }
  if (body(slide).children.length > 1) {
    const first = body(next).firstElementChild;
    if (first && last.dataset.of && first.dataset.of === last.dataset.of) {
      listOf(first).prepend(...list.children);
      last.remove();
    } else body(next).prepend(last);
    return true;
  }
  last.dataset.of ||= `${Math.random()}`;
  return Boolean(list) && splitEquation(list.firstElementChild, slide, next);
}

/** Returns how many of the last parts are wholly below a slide's end. */
function beyond(slide) {
  const end = body(slide).getBoundingClientRect().bottom;
  const parts = [...body(slide).children].flatMap((part) => [...(listOf(part)?.children ?? [part])]);
  const tops = parts.map((part) => (part.matches(".row") ? part.firstElementChild : part).getBoundingClientRect().top);
  return tops.filter((top, k) => k > 0 && top > end).length;
}

/** Divides a slide until each part of it has room. */
function divide(slide) {
  document.querySelector(".now")?.classList.remove("now");
  slide.classList.add("now"); // the browser lays out no others
  const picture = all("figure svg, figure img", slide);
  for (const size of LARGER) {
    body(slide).style.fontSize = `${size}em`;
    if (slide.id && !picture.length && !overflows(slide) && !wide(slide).length) return;
  }
  body(slide).style.fontSize = "1em";
  narrow(slide);
  for (const size of SIZES) {
    body(slide).style.fontSize = `${size}em`;
    for (const each of picture) each.style.height = `${size * 430}px`;
    if (!overflows(slide)) return;
  }
  for (const each of picture) each.style.height = "";
  body(slide).style.fontSize = `${SIZES[2]}em`;
  const next = continued(slide);
  for (let k = beyond(slide); k > 0; k--) moveLast(slide, next);
  while (overflows(slide) && moveLast(slide, next));
  const parts = body(slide).children, last = parts[parts.length - 1];
  if (parts.length > 1 && last.tagName === "P" && body(next).firstElementChild?.tagName !== "P") body(next).prepend(last);
  if (!body(next).children.length) next.remove();
  for (let size = SIZES[3]; overflows(slide) && size > LEAST; size -= 0.05) body(slide).style.fontSize = `${size}em`;
  if (next.isConnected) divide(next);
}

/** Writes the numbers of slides, and those of the parts of each. */
function count() {
  const slides = all(".slide");
  slides.forEach((slide, k) => {
    const number = slide.querySelector(".count");
    if (number) number.textContent = `${k + 1} / ${slides.length}`;
  });
  for (const first of slides.filter((each) => each.id)) {
    const parts = [first];
    for (let next = first.nextElementSibling; next && !next.id; next = next.nextElementSibling) parts.push(next);
    if (parts.length > 1) parts.forEach((each, k) => (each.querySelector(".part").textContent = `${k + 1} / ${parts.length}`));
  }
  return slides;
}

function present() {
  document.documentElement.classList.add("shown");
  all(".slide").forEach(divide);
  const slides = count(), keys = document.querySelector("#keys");
  let now = 0, steps = false;
  const units = () => all(".body > p, .body > figure, .row, tbody > tr, pre > div", slides[now]);
  const hidden = () => units().filter((each) => each.classList.contains("hidden"));

  function show(k, whole = !steps) {
    document.querySelector(".now").classList.remove("now");
    now = Math.max(0, Math.min(k, slides.length - 1));
    slides[now].classList.add("now");
    units().forEach((each, j) => each.classList.toggle("hidden", !whole && j > 0));
    history.replaceState(null, "", `#${now + 1}`);
  }
  function next() {
    const rest = hidden();
    if (rest.length) rest[0].classList.remove("hidden");
    else if (now < slides.length - 1) show(now + 1);
  }
  function place() {
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    const [x, y] = [innerWidth - 1280 * scale, innerHeight - 720 * scale].map((each) => each / 2);
    document.documentElement.style.setProperty("--place", `translate(${x}px, ${y}px) scale(${scale})`);
  }
  function go() {
    const name = decodeURIComponent(location.hash.slice(1)), target = document.getElementById(name)?.closest(".slide");
    show(target ? slides.indexOf(target) : (parseInt(name, 10) || 1) - 1, true);
  }
  const actions = {
    ArrowRight: next, ArrowDown: next, PageDown: next, " ": next, Enter: next,
    ArrowLeft: () => show(now - 1, true), ArrowUp: () => show(now - 1, true), PageUp: () => show(now - 1, true), Backspace: () => show(now - 1, true),
    Home: () => show(0), End: () => show(slides.length - 1),
    n: () => { steps = !steps; show(now); },
    f: () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    p: () => print(),
    "?": () => (keys.open ? keys.close() : keys.showModal()),
  };
  addEventListener("keydown", (event) => {
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (keys.open && event.key !== "?") keys.close();
    else action();
  });
  document.querySelector("main").addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    event.clientX > innerWidth / 3 ? next() : show(now - 1, true);
  });
  addEventListener("resize", place);
  addEventListener("hashchange", go);
  place();
  go();
}
addEventListener("load", () => document.fonts.ready.then(present));
