import type { GenerationEvent } from '@tanya/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Applied, applyEvent, emptyEntry, type StreamingEntry } from './generation-reducer';

interface StreamingState {
  /** The rendered answers, by generation, with the visible part of their texts. */
  entries: Readonly<Record<string, StreamingEntry>>;
}

/** Decides how much of a running answer is visible. */
export interface EntryReveal {
  /** Records the entry after an event. */
  grow(entry: StreamingEntry): void;
  /** The entry with the visible part of its texts; the same object if all of it is visible. */
  view(entry: StreamingEntry): StreamingEntry;
}

/**
 * The running answers. Events change `current` at once. `store` is a view of it for rendering: updated once per animation
 * frame, until all text that arrived in large pieces is revealed.
 */
export class StreamingStore {
  readonly store: StoreApi<StreamingState> = createStore<StreamingState>(() => ({ entries: {} }));
  /** Set by the code that renders messages, which is loaded later; all text is visible without it. */
  createReveal?: (entry: StreamingEntry) => EntryReveal;
  private readonly entries = new Map<string, StreamingEntry>();
  /** Null once an answer is shown without a reveal. */
  private readonly reveals = new Map<string, EntryReveal | null>();
  /** Finished answers that stay in `store` until their message is rendered. */
  private readonly finished = new Set<string>();
  private isScheduled = false;

  constructor(private readonly onNextFrame: (commit: () => void) => void = (commit) => requestAnimationFrame(commit)) {}

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
    this.reveals.delete(entry.generationId);
    this.write(entry);
  }

  receive(event: GenerationEvent): Applied {
    const { generationId } = event;
    const entry = this.current(generationId) ?? emptyEntry(event);
    const applied = applyEvent(entry, event);
    if (applied.outcome === 'applied') {
      if (this.createReveal && !this.reveals.has(generationId))
        this.reveals.set(generationId, this.createReveal(entry));
      this.reveals.get(generationId)?.grow(applied.entry);
      this.write(applied.entry);
    }
    return applied;
  }

  /** Shows the received text of an answer, and all later text on its arrival. */
  skipReveal(generationId: string): void {
    this.reveals.set(generationId, null);
    this.schedule();
  }

  /**
   * Ends an answer. Its entry leaves `store` when `whenShown` calls back, once the message is rendered: without either,
   * the page would collapse for a moment and lose its scroll position.
   */
  close(generationId: string, whenShown: (remove: () => void) => void = (remove) => remove()): void {
    if (!this.entries.has(generationId)) return;
    this.finished.add(generationId);
    this.reveals.delete(generationId);
    whenShown(() => {
      // The answer was opened again meanwhile, because an older read of the thread had it as running.
      if (!this.finished.delete(generationId)) return;
      this.entries.delete(generationId);
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
    this.onNextFrame(() => {
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
