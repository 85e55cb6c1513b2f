import {
  applyPartChange,
  type GenerationEvent,
  isPartChange,
  type MessagePart,
  type TerminalStatus,
  textOfParts,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import type { GenerationEnd } from '../end/generation-end.js';
import { endOpenCalls } from '../store/call-states.js';
import { type Checkpoint, GenerationStore } from '../store/generation-store.js';
import { ApprovalStore } from './approval-store.js';
import type { SavedRun } from './saved-run.js';

/** What was saved of an answer that no node writes now. */
export interface SavedAnswer {
  written: Checkpoint;
  /** The run as it waited last; null for one that never did. */
  run: SavedRun | null;
}

@Injectable()
export class SavedAnswers {
  constructor(
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly approvals: ApprovalStore,
  ) {}

  async find(id: string): Promise<SavedAnswer> {
    const [written, run] = await Promise.all([this.written(id), this.approvals.savedRun(id)]);
    return { written, run };
  }

  /** The log is up to a second ahead of the checkpoint, unless it was trimmed or is unavailable. */
  private async written(id: string): Promise<Checkpoint> {
    const checkpoint = await this.store.checkpoint(id);
    const events = await this.log.readAfter(id, 0).catch(() => null);
    const loggedSeq = events?.at(-1)?.seq ?? (await this.log.lastSeq(id).catch(() => 0));
    if (events === null || loggedSeq < checkpoint.seq) {
      return { ...checkpoint, seq: Math.max(checkpoint.seq, loggedSeq) };
    }
    const parts = partsIn(events);
    return { text: textOfParts(parts, 'text'), reasoning: textOfParts(parts, 'reasoning'), parts, seq: loggedSeq };
  }
}

/** The end of a saved answer as it is. Its notices stay. @param openCalls what becomes of calls that have no result */
export const savedEnd = (
  { written: { text, reasoning, parts }, run }: SavedAnswer,
  status: TerminalStatus,
  error: GenerationEnd['error'],
  openCalls: 'interrupted' | 'denied',
): Omit<GenerationEnd, 'usage'> => ({
  status,
  error,
  text,
  reasoning: reasoning || null,
  parts: endOpenCalls(parts, openCalls),
  notices: run?.notices ?? [],
});

/** The parts that result from the events. Events of later versions change none. */
function partsIn(events: readonly GenerationEvent[]): MessagePart[] {
  let parts: MessagePart[] = [];
  for (const event of events) if (isPartChange(event)) parts = applyPartChange(parts, event);
  return parts;
}
