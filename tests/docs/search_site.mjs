// Asks the search of a built site, without a browser: node search_site.mjs STATIC INDEX QUESTION …
// Prints, for each question, the results as the page lists them, each with its page and its title.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

const [folder, index, ...questions] = process.argv.slice(2);
const names = ["doctools.js", "base-stemmer.js", "english-stemmer.js", "searchtools.js", "language_data.js", "search.js"];
const scripts = [...names.map((name) => join(folder, name)), index].map((file) => readFileSync(file, "utf8"));
const browser = createContext({
  console,
  document: { addEventListener() {}, getElementById: () => null, readyState: "loading" },
  localStorage: { setItem() {} },
  SPHINX_HIGHLIGHT_ENABLED: false,
  window: { addEventListener() {}, location: { search: "" } },
});
runInContext(`${scripts.join(";\n")};\nvar Stemmer = window.Stemmer;`, browser);
const results = questions.map((question) => {
  browser.question = question;
  return runInContext("Search._performSearch(...Search._parseQuery(question))", browser)
    .map(([page, title]) => [page, title])
    .reverse();
});
console.log(JSON.stringify(results));
