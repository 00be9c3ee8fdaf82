import { Python } from "./python/client.ts";

const python = new Python(
  () => new Worker(new URL("worker.js", document.baseURI), { type: "module" }),
  (state, detail) => document.body.setAttribute("data-python", `${state} ${detail}`),
);
python.ask("shipped", { name: "two_link" }).then((robot) => {
  document.body.append(JSON.stringify(robot));
});
