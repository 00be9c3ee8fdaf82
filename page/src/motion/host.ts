// A motion's worker: its text is the module that Python wrote, and one line that hands it to `serve`.
import { Written } from "../python/written.ts";
import type { Order, Report } from "./serve.ts";

export class Host extends Written<Order, Report> {
  /** `serving` is the address of the script that has `serve`, of this page. */
  constructor(module: string, serving: URL, heard: (report: Report) => void) {
    const text = `import { serve } from ${JSON.stringify(serving.href)};\n${module}\nserve({ step, observe });\n`;
    super(text, "motion", heard, (why) => heard({ kind: "failed", text: why }));
  }
}
