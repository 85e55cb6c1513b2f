import {
  applyPartChange,
  derivedParts,
  type GenerationEvent,
  isOpen,
  isPartChange,
  type Message,
  type MessagePart,
  type MessageStatus,
  textOfParts,
} from '@tanya/contract';

export type Applied = 'next' | 'old' | 'gap' | 'late';

/** State of one answer in a page, built from its events. */
export class ShownAnswer {
  text = '';
  private parts: readonly MessagePart[] = [];
  lastSeq = 0;
  /** The final message, from an event or a resync; null when it was deleted. */
  final: Message | null | undefined = undefined;

  updatedAt = performance.now();
  /** Whether every event was applied, up to the end. */
  isWhole = false;

  get status(): MessageStatus | 'deleted' {
    if (this.final === undefined) return 'streaming';
    return this.final?.status ?? 'deleted';
  }

  get isClosed(): boolean {
    return this.final !== undefined;
  }

  apply(event: GenerationEvent): Applied {
    this.updatedAt = performance.now();
    if (event.seq <= this.lastSeq) return 'old';
    if (this.isClosed) return 'late';
    if (event.type === 'end' || event.type === 'error') {
      // The final message replaces missed events.
      this.isWhole = event.seq === this.lastSeq + 1;
      this.final = event.message;
    } else if (event.seq !== this.lastSeq + 1) return 'gap';
    else if (isPartChange(event)) {
      this.parts = applyPartChange(this.parts, event);
      this.text = textOfParts(this.parts, 'text');
    }
    this.lastSeq = event.seq;
    return 'next';
  }

  /** Applies a resync, which replaces events that are no longer in the log. */
  resync(message: Message | null, seq: number | undefined): void {
    if (this.isClosed) return;
    if (message !== null && isOpen(message.status)) {
      this.text = message.content;
      this.parts = message.parts ?? derivedParts({ text: message.content }, message.reasoning);
      this.lastSeq = seq ?? this.lastSeq;
    } else {
      // Events still in flight are obsolete.
      this.final = message;
      this.lastSeq = Infinity;
    }
  }
}
