// Where the site is served, a button puts the page in the place of its picture. From disk a browser runs no page.
if (location.protocol !== "file:") {
  for (const figure of document.querySelectorAll("figure.play")) {
    const button = figure.querySelector("button[data-page]");
    if (!button) continue; // the page is not in this site
    figure.querySelector(".unserved").hidden = true;
    figure.querySelector(".served").hidden = false;
    button.addEventListener("click", () => {
      const frame = document.createElement("iframe");
      frame.src = `${button.dataset.page}&theme=${document.documentElement.dataset.theme}`;
      frame.title = button.dataset.title;
      figure.querySelector(".stage").replaceChildren(frame);
      button.remove();
      frame.focus();
    });
  }
}
