import type { StreamingEntry } from './generation-reducer';
import type { PageFrames } from './page-frames';
import { TextReveal } from './text-reveal';

/** Reveals the text and the reasoning of one running answer. */
export class EntryReveal {
  private readonly text: TextReveal;
  private readonly reasoning: TextReveal;
  private isSkipped = false;

  /** The texts of this first entry are visible at once. */
  constructor(
    entry: StreamingEntry,
    private readonly frames: PageFrames,
  ) {
    this.text = new TextReveal(entry.text.length);
    this.reasoning = new TextReveal(entry.reasoning.length);
  }

  /** Records the entry after an event. */
  grow(entry: StreamingEntry): void {
    const now = this.frames.now();
    this.text.grow(entry.text.length, now);
    this.reasoning.grow(entry.reasoning.length, now);
    this.finishIfStill();
  }

  /** Makes all text visible, and all later text on its arrival. */
  skip(): void {
    this.isSkipped = true;
    this.finishIfStill();
  }

  /** The entry with the visible part of its texts; the same object if all of it is visible. */
  view(entry: StreamingEntry): StreamingEntry {
    this.finishIfStill();
    const now = this.frames.now();
    const text = this.text.view(entry.text, now);
    const reasoning = this.reasoning.view(entry.reasoning, now);
    const isComplete = text.length === entry.text.length && reasoning.length === entry.reasoning.length;
    return isComplete ? entry : { ...entry, text, reasoning };
  }

  private finishIfStill(): void {
    if (!this.isSkipped && !this.frames.isStill()) return;
    this.text.finish();
    this.reasoning.finish();
  }
}
