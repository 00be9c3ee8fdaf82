// Starts a worker of a module that Python wrote: the page's policy lets a script that is not its own run nowhere else.
export class Written<Order, Report> {
  private readonly worker: Worker;
  private readonly address: string;

  constructor(text: string, name: string, heard: (report: Report) => void, failed: (why: string) => void) {
    this.address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    this.worker = new Worker(this.address, { type: "module", name });
    this.worker.onmessage = ({ data }: MessageEvent<Report>) => heard(data);
    this.worker.onerror = (event) => failed(event.message || `the worker of the ${name} did not start`);
  }

  order(order: Order): void {
    this.worker.postMessage(order);
  }

  dispose(): void {
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}
