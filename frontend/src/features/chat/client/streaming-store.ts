import type { GenerationEvent } from '@tanya/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { EntryReveal } from './entry-reveal';
import { type Applied, applyEvent, emptyEntry, type StreamingEntry } from './generation-reducer';
import { pageFrames, type PageFrames } from './page-frames';

interface StreamingState {
  /** The rendered answers, by generation, with the visible part of their texts. */
  entries: Readonly<Record<string, StreamingEntry>>;
}

/**
 * The running answers. Events change `current` at once. `store` is a view of it for rendering: updated once per animation
 * frame, until all text that arrived in large pieces is revealed.
 */
export class StreamingStore {
  readonly store: StoreApi<StreamingState> = createStore<StreamingState>(() => ({ entries: {} }));
  private readonly entries = new Map<string, StreamingEntry>();
  private readonly reveals = new Map<string, EntryReveal>();
  /** Finished answers that stay in `store` until their message is rendered. */
  private readonly finished = new Set<string>();
  private isScheduled = false;

  constructor(private readonly frames: PageFrames = pageFrames) {}

  current(generationId: string): StreamingEntry | undefined {
    return this.finished.has(generationId) ? undefined : this.entries.get(generationId);
  }

  all(): StreamingEntry[] {
    return [...this.entries.values()].filter((entry) => !this.finished.has(entry.generationId));
  }

  /** Adds an answer without text; an existing entry is kept. */
  open(answer: Parameters<typeof emptyEntry>[0]): void {
    if (!this.current(answer.generationId)) this.replace(emptyEntry(answer));
  }

  /** Replaces an answer; its text is visible at once. */
  replace(entry: StreamingEntry): void {
    this.reveals.set(entry.generationId, new EntryReveal(entry, this.frames));
    this.write(entry);
  }

  receive(event: GenerationEvent): Applied {
    const applied = applyEvent(this.current(event.generationId) ?? emptyEntry(event), event);
    if (applied.outcome === 'applied') {
      this.open(event);
      this.reveals.get(event.generationId)?.grow(applied.entry);
      this.write(applied.entry);
    }
    return applied;
  }

  /** Shows the received text of an answer, and all later text on its arrival. */
  skipReveal(generationId: string): void {
    this.reveals.get(generationId)?.skip();
    this.schedule();
  }

  /**
   * Ends an answer. Its entry leaves `store` when `whenShown` calls back, once the message is rendered: without either,
   * the page would collapse for a moment and lose its scroll position.
   */
  close(generationId: string, whenShown: (remove: () => void) => void = (remove) => remove()): void {
    if (!this.entries.has(generationId)) return;
    this.finished.add(generationId);
    this.skipReveal(generationId);
    whenShown(() => {
      // The answer was opened again meanwhile, because an older read of the thread had it as running.
      if (!this.finished.delete(generationId)) return;
      this.entries.delete(generationId);
      this.reveals.delete(generationId);
      this.commit();
    });
  }

  private write(entry: StreamingEntry): void {
    this.finished.delete(entry.generationId);
    this.entries.set(entry.generationId, entry);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.frames.onNextFrame(() => {
      this.isScheduled = false;
      this.commit();
    });
  }

  /** Renders the visible text of all answers, and again at the next frame if some of it is not visible yet. */
  private commit(): void {
    const views: Record<string, StreamingEntry> = {};
    let isComplete = true;
    for (const [generationId, entry] of this.entries) {
      const view = this.reveals.get(generationId)?.view(entry) ?? entry;
      views[generationId] = view;
      isComplete &&= view === entry;
    }
    this.store.setState({ entries: views });
    if (!isComplete) this.schedule();
  }
}

export const streamingStore = new StreamingStore();
