import { setImmediate } from 'node:timers/promises';

/** Time that one piece of work may keep the event loop, ms. Several run at once, and together they stay below 50 ms. */
const SLICE_MS = 5;

/** Cuts long work into slices, so that streams and other requests go on between them. */
export class Slices {
  private end = performance.now() + SLICE_MS;

  /** Call it between two small pieces of work: it lets others run when the slice is used up. */
  async pause(): Promise<void> {
    if (performance.now() < this.end) return;
    await setImmediate();
    this.end = performance.now() + SLICE_MS;
  }
}
