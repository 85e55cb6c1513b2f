import type { GenerationEvent } from '@tanya/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Applied, applyEvent, emptyEntry, type StreamingEntry } from './generation-reducer';

interface StreamingState {
  /** The rendered answers, by generation. */
  entries: Readonly<Record<string, StreamingEntry>>;
}

/**
 * The running answers. Events change `current` at once; `store` is updated once per animation frame, so that a fast
 * model causes one rendering per frame instead of one per event.
 */
export class StreamingStore {
  readonly store: StoreApi<StreamingState> = createStore<StreamingState>(() => ({ entries: {} }));
  private readonly entries = new Map<string, StreamingEntry>();
  /** Finished answers that stay in `store` until their message is rendered. */
  private readonly finished = new Set<string>();
  private scheduled = false;

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

  replace(entry: StreamingEntry): void {
    this.finished.delete(entry.generationId);
    this.entries.set(entry.generationId, entry);
    this.schedule();
  }

  receive(event: GenerationEvent): Applied {
    const entry = this.current(event.generationId) ?? emptyEntry(event);
    const applied = applyEvent(entry, event);
    if (applied.outcome === 'applied') this.replace(applied.entry);
    return applied;
  }

  /**
   * Ends an answer. Its entry leaves `store` when `whenShown` calls back, once the message is rendered: without either,
   * the page would collapse for a moment and lose its scroll position.
   */
  close(generationId: string, whenShown: (remove: () => void) => void = (remove) => remove()): void {
    if (!this.entries.has(generationId)) return;
    this.finished.add(generationId);
    whenShown(() => {
      // The answer was opened again meanwhile, because an older read of the thread had it as running.
      if (!this.finished.delete(generationId)) return;
      this.entries.delete(generationId);
      this.commit();
    });
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.onNextFrame(() => this.commit());
  }

  private commit(): void {
    this.scheduled = false;
    this.store.setState({ entries: Object.fromEntries(this.entries) });
  }
}

export const streamingStore = new StreamingStore();
