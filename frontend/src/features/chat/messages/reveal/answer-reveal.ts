import type { MessagePart } from '@tanya/contract';
import type { StreamingEntry } from '../../client/generation-reducer';
import type { EntryReveal } from '../../client/streaming-store';
import type { PageClock } from './page-clock';
import { TextReveal } from './text-reveal';

export class AnswerReveal implements EntryReveal {
  private readonly text: TextReveal;
  private readonly reasoning: TextReveal;

  /** The texts of this first entry are visible at once. */
  constructor(
    entry: StreamingEntry,
    private readonly clock: PageClock,
  ) {
    this.text = new TextReveal(entry.text.length);
    this.reasoning = new TextReveal(entry.reasoning.length);
  }

  grow(entry: StreamingEntry): void {
    const now = this.clock.now();
    this.text.grow(entry.text.length, now);
    this.reasoning.grow(entry.reasoning.length, now);
    this.finishIfStill();
  }

  view(entry: StreamingEntry): StreamingEntry {
    this.finishIfStill();
    const now = this.clock.now();
    const text = this.text.view(entry.text, now);
    const reasoning = this.reasoning.view(entry.reasoning, now);
    const isComplete = text.length === entry.text.length && reasoning.length === entry.reasoning.length;
    if (isComplete) return entry;
    return { ...entry, text, reasoning, parts: visibleParts(entry.parts, text.length, reasoning.length) };
  }

  private finishIfStill(): void {
    if (!this.clock.isStill()) return;
    this.text.finish();
    this.reasoning.finish();
  }
}

/** The parts up to the end of the visible text; a part after hidden text is hidden too. */
function visibleParts(parts: readonly MessagePart[], text: number, reasoning: number): MessagePart[] {
  const room = { text, reasoning };
  const visible: MessagePart[] = [];
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'reasoning') {
      const { length } = part.text;
      const shown = Math.min(room[part.type], length);
      room[part.type] -= shown;
      if (shown > 0) visible.push(shown === length ? part : { ...part, text: part.text.slice(0, shown) });
      if (shown < length) break;
    } else visible.push(part);
  }
  return visible;
}
