import { MESSAGE_NOTICES, type MessageNotice, type TerminalStatus } from '@tanya/contract';
import { AppError, type StoredError } from '../../../platform/errors/app-error.js';
import { formatSentence } from '../../../platform/errors/sentences.js';
import { type RecordedUsage, UNKNOWN_USAGE } from '../../../quota/cost.js';
import type { AnswerPart } from '../../messages/stored-parts.js';
import type { GenerationRun } from '../live/generation-run.js';
import { areVisible } from '../live/run-parts.js';
import type { RunState } from '../live/run-spec.js';
import type { FailedAttempt } from '../store/generation-store.js';
import type { WrittenChoices } from '../detached/written-answer.js';

/** How an answer ends: what is stored of it, and what it costs. */
export interface GenerationEnd {
  status: TerminalStatus;
  error: StoredError | null;
  text: string;
  reasoning: string | null;
  /** The parts, which text and reasoning repeat. No call in them is running. */
  parts: AnswerPart[];
  /** The stored content when it is more than `text`, for an image for example. */
  content?: string;
  notices: MessageNotice[];
  /** The answers to the request of a program. */
  detached?: {
    choices: WrittenChoices;
    /** How many were asked for, each of which holds its messages. */
    held: number;
    /** How many ended regularly. */
    regular: number;
    /** Whether the program was sent anything. */
    isShown: boolean;
  };
  /** Whether it was stopped before any output, and the owner has no free stop left (`FreeStops`). */
  isBeyondFreeStops?: boolean;
  /** The model that answered; absent if it is the stored one. */
  modelId?: string;
  /** The models that failed before it. */
  attempts?: readonly FailedAttempt[];
  /** Tokens of the last prompt and of its answer, as the provider reported them; absent when it did not. */
  contextTokens?: number | null;
  /** Tokens of all steps as the provider reported them, for the metrics; absent for a run of another node. */
  reported?: RunState['usage'];
  /** Tokens and cost for the ledger and for the answer of a detached generation, with estimates where the provider reported none. */
  usage: RecordedUsage;
}

type ChargedFields = Pick<GenerationEnd, 'status' | 'parts' | 'detached' | 'isBeyondFreeStops'>;

const isShown = ({ parts, detached }: ChargedFields): boolean => detached?.isShown ?? areVisible(parts);

/** Whether an answer was stopped before anything was shown: free, until an owner has too many such stops. */
export const isStoppedUnseen = (end: ChargedFields): boolean => end.status === 'stopped' && !isShown(end);

/**
 * The charge rule: a complete answer is charged, and so is one that its user stopped after reasoning, text or a call of a
 * tool was shown, or before that beyond the free stops. Errors and interruptions are free.
 */
export const isCharged = (end: ChargedFields): boolean =>
  end.status === 'complete' || (end.status === 'stopped' && (isShown(end) || end.isBeyondFreeStops === true));

/** How many of the answers that were asked for and held a charge takes. A stop takes one at least. */
export const chargedChoices = ({ status, detached }: GenerationEnd): number =>
  status === 'complete' ? (detached?.regular ?? 1) : Math.max(1, detached?.regular ?? 1);

/** Whether the charge takes all messages of the hold: those of answers that did not end regularly are released. */
export const isChargedWhole = (end: GenerationEnd): boolean =>
  isCharged(end) && chargedChoices(end) === (end.detached?.held ?? 1);

/**
 * Seconds in which a node worked on an answer, without the waits for approvals.
 * @param total from the start to the end, for an answer whose runs were not measured
 */
export const workSeconds = ({ usage: { totalMs } }: GenerationEnd, total: number): number =>
  totalMs === null ? total : Math.min(total, totalMs / 1000);

/**
 * Ends to store in this order while Postgres refuses the values of the one before: the second as is, since a
 * concurrent change can break a constraint for a moment; then a free error with the text; then one without anything.
 */
export function* everSimpler(end: GenerationEnd): Generator<GenerationEnd> {
  yield end;
  yield end;
  const { text, reasoning, parts, modelId } = end;
  const free: GenerationEnd = {
    modelId,
    status: 'error',
    error: end.error ?? new AppError('internal').toGenerationError(),
    text,
    reasoning,
    parts,
    notices: [],
    usage: UNKNOWN_USAGE,
  };
  yield free;
  yield { ...free, text: '', reasoning: null, parts: [] };
}

/** Remarks with this end are joined: "Your message was cut to fit the model; a document was cut to fit the model." */
const TO_FIT = ' to fit the model.';

/** The English text of remarks about an answer, in the order given; null without any. */
export function noticeText(notices: readonly MessageNotice[]): string | null {
  const sentences: string[] = [];
  let fit: number | null = null;
  for (const { code, params } of notices) {
    const sentence = formatSentence(MESSAGE_NOTICES[code], params);
    if (!sentence.endsWith(TO_FIT) || fit === null) {
      if (sentence.endsWith(TO_FIT)) fit = sentences.length;
      sentences.push(sentence);
    } else {
      const clause = sentence[0]!.toLowerCase() + sentence.slice(1);
      sentences[fit] = `${sentences[fit]!.slice(0, -1)}; ${clause}`;
    }
  }
  return sentences.join(' ') || null;
}

/** The error of an answer that Postgres did not take in time. */
export const notStored = (): StoredError => new AppError('storage_unavailable').toGenerationError();

/** @param content the stored content when it is more than the text of the run */
export function endOf(
  run: GenerationRun,
  status: TerminalStatus,
  error: StoredError | null = null,
  content?: string,
): GenerationEnd {
  return {
    status,
    error,
    text: run.text,
    reasoning: run.reasoning === '' ? null : run.reasoning,
    parts: run.parts.finish(),
    content,
    notices: run.notices.all,
    modelId: run.model.modelId,
    attempts: run.attempts,
    contextTokens: run.contextTokens,
    detached: detachedEnd(run, content),
    reported: run.usage,
    usage: run.recordedUsage,
  };
}

/** @param content of an image, embeddings or a transcription */
function detachedEnd({ detached, spec }: GenerationRun, content = ''): GenerationEnd['detached'] {
  if (detached === null) return undefined;
  if (spec.kind !== 'program')
    return { choices: [{ choice: 0, text: content, finishReason: 'stop' }], held: 1, regular: 1, isShown: false };
  const { all, choiceCount: held, regular } = detached;
  return { choices: all, held, regular, isShown: detached.isShown(spec.hidesReasoning ?? false) };
}
