import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorParams,
  type GenerationError,
  LIMITS,
  MESSAGE_NOTICES,
  type MessageFeedback,
  type MessageNotice,
  type MessagePart,
  RATINGS,
  type TerminalStatus,
  textOfParts,
  type ToolPart,
  type ToolState,
} from '@tanya/contract';
import { storableJson, toStorableText } from '../../platform/json/storable-json.js';
import { type Fields, fieldsOf, listOf, nameOf, textOf } from './fields.js';

/** What an export of this product has of an answer beside its text, its reasoning and its pictures. */
export interface OwnAnswer {
  /** null when the export does not name one. */
  status: TerminalStatus | null;
  /** Pictures have their addresses in the export. null where text and reasoning give the parts, and above the bounds. */
  parts: MessagePart[] | null;
  /** Characters of the parts beside text and reasoning, as JSON. */
  partsCharacters: number;
  /** The address of a picture that is the whole answer. */
  picture: string | null;
  error: GenerationError | null;
  notice: string | null;
  notices: MessageNotice[] | null;
  isDemo: boolean;
  feedback: MessageFeedback | null;
}

/** Bounds of one answer, above what this product writes. An answer that exceeds them has its text and pictures alone. */
const MAX_PARTS = 1_000;
const MAX_PARTS_CHARACTERS = 4_000_000;
const MAX_DEPTH = 20;
const MAX_NOTICES = 50;
const MAX_PARAMS = 20;
const MAX_SENTENCE = 2_000;
const MAX_ADDRESS = 2_048;

/** An answer that was still being written, or waited for approvals, ends where its export was made. */
const STATUSES: Record<string, TerminalStatus> = {
  streaming: 'interrupted',
  waiting: 'interrupted',
  complete: 'complete',
  stopped: 'stopped',
  interrupted: 'interrupted',
  error: 'error',
};
const STATES: Record<string, ToolState> = {
  running: 'interrupted',
  waiting: 'interrupted',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
};

const sentenceOf = (value: unknown): string => toStorableText(textOf(value).slice(0, MAX_SENTENCE));

const ownOf = <T>(values: Record<string, T>, key: unknown): T | null =>
  typeof key === 'string' && Object.hasOwn(values, key) ? values[key]! : null;

const durationOf = ({ ms }: Fields): { ms?: number } =>
  typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? { ms } : {};

/** @param texts of the answer, whose parts must give the same */
export function ownAnswer(message: Fields, content: Fields, texts: { text: string; reasoning: string }): OwnAnswer {
  const notices = listOf(message.notices)
    .slice(0, MAX_NOTICES)
    .flatMap((notice) => noticeOf(fieldsOf(notice)) ?? []);
  const parts = partsOf(listOf(message.parts), texts);
  return {
    status: ownOf(STATUSES, message.status),
    parts,
    partsCharacters: (parts ?? []).reduce((sum, part) => sum + charactersOf(part), 0),
    picture: nameOf(content.imageUrl),
    error: errorOf(fieldsOf(message.error)),
    notice: sentenceOf(message.notice) || null,
    notices: notices.length > 0 ? notices : null,
    isDemo: message.isDemo === true,
    feedback: feedbackOf(fieldsOf(message.feedback)),
  };
}

const charactersOf = (part: MessagePart): number =>
  part.type === 'text' || part.type === 'reasoning' ? 0 : JSON.stringify(part).length;

function partsOf(values: unknown[], texts: { text: string; reasoning: string }): MessagePart[] | null {
  if (values.length === 0 || values.length > MAX_PARTS) return null;
  const parts = values.flatMap((value) => partOf(fieldsOf(value)) ?? []);
  const sizes = parts.map(charactersOf);
  if (sizes.some((size) => size > LIMITS.partBytes)) return null;
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_PARTS_CHARACTERS) return null;
  const isWhole = (['text', 'reasoning'] as const).every(
    (type) => textOfParts(parts, type) === toStorableText(texts[type]),
  );
  return isWhole ? parts : null;
}

/** @returns null for a part that this version does not know */
function partOf(part: Fields): MessagePart | null {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: toStorableText(textOf(part.text)) };
    case 'reasoning':
      return { type: 'reasoning', text: toStorableText(textOf(part.text)), ...durationOf(part) };
    case 'image':
      return { type: 'image', url: textOf(part.url), alt: toStorableText(textOf(part.alt)) };
    case 'tool':
      return toolOf(part);
    case 'source':
      return sourceOf(part);
    default:
      return null;
  }
}

function toolOf(part: Fields): ToolPart | null {
  const state = ownOf(STATES, part.state);
  const callId = textOf(part.callId);
  const tool = textOf(part.tool);
  const args = storableJson(part.args ?? {}, MAX_DEPTH);
  if (state === null || args === undefined || !isShort(callId, LIMITS.callId.max)) return null;
  if (!isShort(tool, LIMITS.toolName.max)) return null;
  return {
    type: 'tool',
    callId,
    tool,
    title: toStorableText(textOf(part.title)) || tool,
    args,
    state,
    ...(typeof part.result === 'string' && { result: toStorableText(part.result) }),
    ...(part.truncated === true && { truncated: true }),
    ...(typeof part.error === 'string' && { error: toStorableText(part.error) }),
    ...durationOf(part),
  };
}

const isShort = (text: string, max: number): boolean => /^[\w-]+$/.test(text) && text.length <= max;

/** A page of the web, or a passage of a file of a project: its quote without an address, since the project is not here. */
function sourceOf(part: Fields): MessagePart | null {
  const { index } = part;
  const url = textOf(part.url);
  const isOfWeb = url.length <= MAX_ADDRESS && /^https?:/i.test(url) && URL.canParse(url);
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 1) return null;
  if (!isOfWeb && typeof part.quote !== 'string') return null;
  const texts = (['snippet', 'label', 'quote'] as const).flatMap((name) =>
    typeof part[name] === 'string' ? [[name, toStorableText(part[name])]] : [],
  );
  return {
    type: 'source',
    index,
    url: isOfWeb ? toStorableText(url) : '',
    title: toStorableText(textOf(part.title)),
    ...(Object.fromEntries(texts) as object),
  };
}

/** The error without its technical cause, which belongs to the other installation. */
function errorOf({ code, message, retryable, retryAfter, params }: Fields): GenerationError | null {
  if (!ERROR_CODES.includes(code as ErrorCode)) return null;
  return {
    code: code as ErrorCode,
    message: sentenceOf(message),
    retryable: retryable === true,
    ...(typeof retryAfter === 'number' && Number.isFinite(retryAfter) && { retryAfter }),
    ...paramsOf(params),
  };
}

function noticeOf({ code, params }: Fields): MessageNotice | null {
  if (typeof code !== 'string' || !Object.hasOwn(MESSAGE_NOTICES, code)) return null;
  return { code: code as MessageNotice['code'], ...paramsOf(params) };
}

function paramsOf(params: unknown): { params?: ErrorParams } {
  const entries = Object.entries(fieldsOf(params))
    .slice(0, MAX_PARAMS)
    .flatMap(([name, value]) => {
      if (typeof value === 'number') return Number.isFinite(value) ? [[sentenceOf(name), value]] : [];
      return typeof value === 'string' ? [[sentenceOf(name), sentenceOf(value)]] : [];
    });
  return entries.length > 0 ? { params: Object.fromEntries(entries) as ErrorParams } : {};
}

function feedbackOf({ rating, reason }: Fields): MessageFeedback | null {
  const known = RATINGS.find((each) => each === rating);
  if (known === undefined) return null;
  return { rating: known, reason: toStorableText(textOf(reason).slice(0, LIMITS.feedbackReason.max)) || null };
}
