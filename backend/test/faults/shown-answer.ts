import type { GenerationEvent, Message, MessageStatus } from '@tanya/contract';

export type Applied = 'next' | 'old' | 'gap' | 'late';

/** One answer as a page shows it: what its events added up to. */
export class ShownAnswer {
  text = '';
  lastSeq = 0;
  /** The final message, once an event or a resync has brought it; null stands for one that is gone. */
  final: Message | null | undefined = undefined;

  heardAt = performance.now();
  /** Every event of it was applied, up to its end. */
  isWhole = false;

  get status(): MessageStatus | 'gone' {
    if (this.final === undefined) return 'streaming';
    return this.final?.status ?? 'gone';
  }

  get isClosed(): boolean {
    return this.final !== undefined;
  }

  apply(event: GenerationEvent): Applied {
    this.heardAt = performance.now();
    if (event.seq <= this.lastSeq) return 'old';
    if (this.isClosed) return 'late';
    if (event.type === 'end' || event.type === 'error') {
      // The final message says it all, whatever was missed before it.
      this.isWhole = event.seq === this.lastSeq + 1;
      this.final = event.message;
    } else if (event.seq !== this.lastSeq + 1) return 'gap';
    else if (event.type === 'text-delta') this.text += event.text;
    this.lastSeq = event.seq;
    return 'next';
  }

  /** Takes what the server says in place of the events that it no longer has. */
  resync(message: Message | null, seq: number | undefined): void {
    if (this.isClosed) return;
    if (message !== null && message.status === 'streaming') {
      this.text = message.content;
      this.lastSeq = seq ?? this.lastSeq;
    } else {
      // What is still on its way says nothing new.
      this.final = message;
      this.lastSeq = Infinity;
    }
  }
}
