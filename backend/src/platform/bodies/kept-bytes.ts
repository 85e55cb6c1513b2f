/** Bytes that requests keep until their answers have ended, in this process. */
const MOST = 128 * 1024 * 1024;

/** The part of one sender: others can still send the largest request. */
const MOST_OF_SENDER = 48 * 1024 * 1024;

export interface Kept {
  sender: { key: string };
  /** So far: it may change. */
  bytes: number;
}

/** Bounds the memory of large requests. */
export class KeptBytes {
  private readonly kept = new Set<Kept>();

  /** Whether a sender may keep some bytes more. */
  fits(key: string, bytes: number): boolean {
    return this.sum() + bytes <= MOST && this.sum(key) + bytes <= MOST_OF_SENDER;
  }

  add(kept: Kept): void {
    this.kept.add(kept);
  }

  delete(kept: Kept): void {
    this.kept.delete(kept);
  }

  private sum(key?: string): number {
    let sum = 0;
    for (const { sender, bytes } of this.kept) if (key === undefined || sender.key === key) sum += bytes;
    return sum;
  }
}
