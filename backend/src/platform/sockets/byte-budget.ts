/** Bytes that a client may send: a number at once, which grows again at a rate. */
export class ByteBudget {
  private left: number;
  private at = performance.now();

  /** @param perSecond bytes that come back */
  constructor(
    private readonly most: number,
    private readonly perSecond: number,
  ) {
    this.left = most;
  }

  /** Takes bytes; false, without taking any, when they exceed what is left. */
  take(bytes: number): boolean {
    this.refill();
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  /** Whole seconds after which as many bytes are there. */
  secondsUntil(bytes: number): number {
    this.refill();
    return Math.max(1, Math.ceil((Math.min(bytes, this.most) - this.left) / this.perSecond));
  }

  private refill(): void {
    const now = performance.now();
    this.left = Math.min(this.most, this.left + ((now - this.at) / 1_000) * this.perSecond);
    this.at = now;
  }
}
