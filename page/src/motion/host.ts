// Starts a motion's worker: its text is the module that Python wrote, and one line that hands it to `serve`.
import type { Order, Report } from "./serve.ts";

export class Host {
  private readonly worker: Worker;
  private readonly address: string;

  /** `serving` is the address of the script that has `serve`, of this page. */
  constructor(module: string, serving: URL, heard: (report: Report) => void) {
    const text = `import { serve } from ${JSON.stringify(serving.href)};\n${module}\nserve({ step, observe });\n`;
    this.address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.worker = new Worker(this.address, { type: "module", name: "motion" });
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => heard(data);
    this.worker.onerror = (event) => heard({ kind: "failed", text: event.message || "the motion's worker did not start" });
  }

  order(order: Order): void {
    this.worker.postMessage(order);
  }

  dispose(): void {
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}
