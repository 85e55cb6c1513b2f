import type { GenerationEvent } from '@tanya/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Applied, applyEvent, emptyEntry, type StreamingEntry } from './generation-reducer';

interface StreamingState {
  /** What the screen shows, by generation. */
  entries: Readonly<Record<string, StreamingEntry>>;
}

/**
 * The answers that are being written. Events change `current` at once; the screen gets them once an animation frame,
 * so that a fast model costs one rendering a frame and not one an event.
 */
export class StreamingStore {
  readonly store: StoreApi<StreamingState> = createStore<StreamingState>(() => ({ entries: {} }));
  private readonly entries = new Map<string, StreamingEntry>();
  /** Ended, and on the screen for the moment until their message is. */
  private readonly ended = new Set<string>();
  private scheduled = false;

  constructor(private readonly onNextFrame: (commit: () => void) => void = (commit) => requestAnimationFrame(commit)) {}

  current(generationId: string): StreamingEntry | undefined {
    return this.ended.has(generationId) ? undefined : this.entries.get(generationId);
  }

  all(): StreamingEntry[] {
    return [...this.entries.values()].filter((entry) => !this.ended.has(entry.generationId));
  }

  /** Makes room for an answer; what is already known of it stays. */
  open(of: Parameters<typeof emptyEntry>[0]): void {
    if (!this.current(of.generationId)) this.replace(emptyEntry(of));
  }

  replace(entry: StreamingEntry): void {
    this.ended.delete(entry.generationId);
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
   * Ends an answer. It leaves the screen when `whenShown` says that its message is there: with nothing in between the
   * page would collapse for a moment and lose the reader's place.
   */
  close(generationId: string, whenShown: (remove: () => void) => void = (remove) => remove()): void {
    if (!this.entries.has(generationId)) return;
    this.ended.add(generationId);
    whenShown(() => {
      // Opened again meanwhile, because a page that was read earlier still had it as running.
      if (!this.ended.delete(generationId)) return;
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
