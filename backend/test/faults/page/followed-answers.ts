import type { ErrorBody, GenerationEvent } from '@tanya/contract';
import type { PageConnection } from './page-connection.js';
import { ShownAnswer } from './shown-answer.js';

/** Silence of a running answer after which it is resumed, ms. */
const SILENCE_MS = 1_500;

/** The answers of a page, built from its events. They resume after a gap, a reconnect and silence. */
export class FollowedAnswers {
  readonly byId = new Map<string, ShownAnswer>();
  private readonly followed = new Set<string>();
  /** Live events that arrived during a resume. */
  private readonly held = new Map<string, GenerationEvent[]>();
  /** Answers that were not found, with the number of the connection. */
  private readonly missing = new Map<string, number>();
  private readonly watch: NodeJS.Timeout;

  constructor(
    private readonly connection: PageConnection,
    /** Called for an event after the end of its answer. */
    private readonly onViolation: (violation: string) => void,
  ) {
    connection.socket.on('generation:event', (event) => this.receive(event));
    this.watch = setInterval(() => this.resumeSilent(), SILENCE_MS / 4).unref();
  }

  get(generationId: string): ShownAnswer {
    const known = this.byId.get(generationId) ?? new ShownAnswer();
    this.byId.set(generationId, known);
    return known;
  }

  /** Follows an answer from now on. */
  follow(generationId: string): ShownAnswer {
    this.followed.add(generationId);
    return this.get(generationId);
  }

  /** Resumes all followed answers that have not ended. */
  resumeOpen(): void {
    for (const id of this.followed) if (!this.get(id).isClosed) void this.resume(id);
  }

  /** Resumes an answer; live events are held until the response. */
  async resume(generationId: string): Promise<void> {
    if (this.held.has(generationId)) return;
    this.held.set(generationId, []);
    const answer = this.get(generationId);
    answer.updatedAt = performance.now();
    const { lastSeq } = answer;
    const ack = await this.connection.emit('generation:resume', { generationId, afterSeq: lastSeq }).catch(() => null);
    const events = this.held.get(generationId) ?? [];
    this.held.delete(generationId);
    // A failed resume is repeated after SILENCE_MS, not at once.
    if (ack === null || (!ack.ok && !this.isDeleted(generationId, ack.error))) return;
    if (!ack.ok) answer.resync(null, undefined);
    else if (ack.data.outcome === 'resync') answer.resync(ack.data.message, ack.data.seq);
    else events.unshift(...ack.data.events);
    for (const event of events) this.apply(event);
  }

  close(): void {
    clearInterval(this.watch);
  }

  private receive(event: GenerationEvent): void {
    const held = this.held.get(event.generationId);
    if (held === undefined) this.apply(event);
    else held.push(event);
  }

  private apply(event: GenerationEvent): void {
    const { generationId, type } = event;
    const applied = this.get(generationId).apply(event);
    if (applied === 'late') this.onViolation(`I10: ${type} came after the end of ${generationId}`);
    if (applied === 'gap') void this.resume(generationId);
  }

  /**
   * An answer is deleted when two connections report so. A connection whose session was lost before the handshake is a
   * guest's, which has no access to the member's answers.
   */
  private isDeleted(generationId: string, error: ErrorBody): boolean {
    if (error.code !== 'not_found') return false;
    const reportedOn = this.missing.get(generationId);
    if (reportedOn !== undefined && reportedOn !== this.connection.connects) return true;
    this.missing.set(generationId, this.connection.connects);
    this.connection.socket.disconnect();
    return false;
  }

  /** A lost end leaves no gap in the sequence, so silent answers are resumed. */
  private resumeSilent(): void {
    if (!this.connection.isConnected) return;
    for (const id of this.followed) {
      const answer = this.get(id);
      if (!answer.isClosed && performance.now() - answer.updatedAt > SILENCE_MS) void this.resume(id);
    }
  }
}
