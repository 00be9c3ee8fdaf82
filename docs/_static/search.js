// Sphinx's search, with two things that it lacks: a heading that has all the words of a question comes first, whatever its
// length, and the pages of the question's language come before those of the other one.
if (typeof Search !== "undefined") {
  const PAGE = 0, TITLE = 1, FILE = 5;
  const inChinese = (text) => /[一-鿿]/.test(text);

  /** Returns a result for each heading that has all the words, the shortest heading last, as Sphinx orders results. */
  function headings(words) {
    const { alltitles, docnames, titles, filenames } = Search._index, stemmer = new Stemmer();
    const fitting = Object.entries(alltitles).filter(([title]) => {
      const own = new Set(splitQuery(title.toLowerCase()).map((word) => stemmer.stemWord(word)));
      return words.size > 0 && [...words].every((word) => own.has(word));
    });
    fitting.sort(([a], [b]) => b.length - a.length);
    return fitting.flatMap(([title, places]) => places.map(([file, id]) => {
      const whole = titles[file] === title ? title : `${titles[file]} > ${title}`;
      return [docnames[file], whole, id === null ? "" : `#${id}`, null, 100, filenames[file], SearchResultKind.title];
    }));
  }

  const search = Search._performSearch;
  Search._performSearch = (query, words, ...others) => {
    const first = headings(words), known = new Set(first.map((result) => `${result[FILE]}${result[TITLE]}`));
    const rest = search(query, words, ...others).filter((result) => !known.has(`${result[FILE]}${result[TITLE]}`));
    const results = [...rest, ...first];
    const asked = (result) => result[PAGE].startsWith("zh/") === inChinese(query);
    return [...results.filter((result) => !asked(result)), ...results.filter(asked)];
  };
}
