const FRAME_MS = 16;

/** Animation frames and a clock whose time the test advances. */
export class FakeFrames {
  isStillNow = false;
  private time = 0;
  private pending: (() => void)[] = [];

  onNextFrame = (callback: () => void) => void this.pending.push(callback);
  now = () => this.time;
  isStill = () => this.isStillNow;

  get requested(): number {
    return this.pending.length;
  }

  /** Runs the requested frame. */
  next(): void {
    this.time += FRAME_MS;
    this.pending.splice(0).forEach((callback) => callback());
  }

  /** Advances the time; a frame runs every 16 ms. */
  advance(ms: number): void {
    const target = this.time + ms;
    while (this.time + FRAME_MS <= target) this.next();
    this.time = target;
  }
}
