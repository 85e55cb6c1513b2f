import { type Fields, fieldsOf, isFields } from '../../../platform/json/fields.js';

/** What the error of an upstream says, under OpenAI's names. Texts are untrusted and at most 2,000 characters. */
export interface FailureDetail {
  message?: string;
  type?: string;
  /** A name, or a number as text. */
  code?: string;
  /** Name of the field that it refuses. */
  param?: string;
  status?: number;
  /** Whether moderation lists its reasons, as OpenRouter's does. */
  hasReasons?: boolean;
}

/** Characters of a text that an upstream sends. */
export const MAX_TEXT = 2000;
const MAX_DEPTH = 6;

/** Names under which servers nest an error, the last one what Vercel's gateway could not read. A text under one of them is its message. */
const NESTS = [
  ...['error', 'errors', 'err', 'detail', 'details', 'exception', 'fault', 'base_resp', 'message'],
  'value',
] as const;
const MESSAGES = [
  ...['message', 'msg', 'error_msg', 'error_message', 'errorMessage', 'status_msg', 'description', 'error_description'],
  // AWS; WeChat.
  ...['Message', 'errmsg'],
  ...['detail', 'details', 'reason', 'title', 'error'],
] as const;
const CODES = ['code', 'error_code', 'errorCode', 'status_code', 'statusCode', 'status', 'http_code'] as const;

/** Codes and states of a success. */
const WELL =
  /^(0|2\d\d|20\d{3}|ok|success(ful)?|succeeded|complete[d]?|none|null|in_progress|processing|running|queued)$/i;
/** In `default` and `failover` nothing has failed. */
const ERROR_NAME = /error|exception|fail(?!over)|(?<!de)fault/i;
/**
 * Names of fields that only an error has, in any spelling: `Error`, `errmsg`, `error_code`, `internalServerException`, and
 * `error parsing tool call` of Ollama.
 */
const ERROR_FIELD =
  /^(err|fault|failure|traceback|details?)$|^(err|error)_?(msg|message|code|type)$|(error|exception)s?$|^error /i;

/** Reads the error of an upstream in any shape: OpenAI's, FastAPI's `detail`, a list, a text, or JSON within a text. */
export function detailOf(error: unknown, depth = 0): FailureDetail {
  if (typeof error === 'string') return textDetail(error, depth);
  if (typeof error === 'number') return { code: String(error), status: statusOf(error) };
  if (Array.isArray(error)) return error.length > 0 && depth < MAX_DEPTH ? listDetail(error, depth) : {};
  if (!isFields(error) || depth === MAX_DEPTH) return {};
  if (isByField(error)) return listDetail(entriesOf(error), depth);
  const own = ownDetail(error);
  const inner = NESTS.map((name) => error[name]).filter((value) => typeof value === 'object' && says(value));
  const { raw } = fieldsOf(error['metadata']);
  return [...inner, ...(says(raw) ? [raw] : [])].reduce<FailureDetail>(
    (detail, value) => merged(detail, detailOf(value, depth + 1)),
    own,
  );
}

/**
 * The error in an event or body with status 200; null for one without. OpenAI's `error` counts in every chunk. Without
 * a choice and usage, so does everything that only an error has: FastAPI's `detail`, a code, `success: false`.
 */
export function errorIn(chunk: unknown): unknown {
  if (Array.isArray(chunk)) return chunk.map(errorIn).find((error) => error !== null) ?? null;
  if (!isFields(chunk)) return null;
  const named = namedErrorIn(chunk);
  if (named !== undefined) return named;
  const groq = chunk['x_groq'];
  if (isFields(groq) && says(groq['error'])) return groq['error'];
  const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : [];
  const [choice] = choices;
  if (isFields(choice))
    for (const place of [choice, choice['delta'], choice['message']])
      if (isFields(place) && says(place['error'])) return place['error'];
  if (isFields(chunk['base_resp']) && !isWell(chunk['base_resp']['status_code'])) return chunk['base_resp'];
  if (choices.length > 0 || isFields(chunk['usage'])) return null;
  return isErrorAlone(chunk) || isMessageAlone(chunk) ? chunk : null;
}

const namedErrorIn = (chunk: Fields): unknown => [chunk['error'], chunk['errors'], chunk['err']].find(says);

/** Whether an event that is not JSON says that the answer failed, as of servers that send their errors as words. */
export const saysError = (text: string): boolean => /^[\s[("]*(internal |server )?error\b/i.test(text);

/** Whether an event or line that is not JSON may be the reason why an answer has no end, told by a word or a sentence alone. */
export const maySayError = (text: string): boolean => text.length <= MAX_TEXT && BAD_WORDS.test(text);

/** Whether a line begins a page, as proxies send in the middle of an answer. */
export const isErrorPage = (line: string): boolean => /^<(!doctype|html)\b/i.test(line);

function isErrorAlone(chunk: Fields): boolean {
  if (['object', 'type', '__type', 'event', 'status', 'state'].some((name) => ERROR_NAME.test(textOf(chunk[name]))))
    return true;
  if (chunk['success'] === false || chunk['ok'] === false) return true;
  if (['error_code', 'errorCode', 'code', 'status_code', 'statusCode'].some((name) => !isWell(chunk[name])))
    return true;
  if (Object.keys(chunk).some((name) => ERROR_FIELD.test(name) && says(chunk[name]) && !isCodeOfSuccess(name, chunk)))
    return true;
  return statusOf(chunk['status']) !== undefined;
}

/** Whether an event has a message and no choices, and nothing else tells that the answer goes on. */
function isMessageAlone(chunk: Fields): boolean {
  const hasMessage = ['message', 'Message', 'msg', 'status_msg'].some(
    (name) => typeof chunk[name] === 'string' && says(chunk[name]),
  );
  return hasMessage && !isRemark(chunk) && !Array.isArray(chunk['choices']);
}

/** Whether a field of that name says that all went well, such as `error_code: "0"`. */
const isCodeOfSuccess = (name: string, chunk: Fields): boolean => /code$/i.test(name) && isWell(chunk[name]);

/**
 * The error in one of the fields of an event without a choice, as of iFlytek. An answer may go on after such an event, so it
 * counts only where the answer has no end.
 */
export function errorWithin(chunk: object): unknown {
  const { choices } = chunk as Fields;
  if (Array.isArray(choices) && choices.length > 0) return null;
  return (
    Object.values(chunk).find((value) => isFields(value) && errorIn(value) !== null && !saysNothingBad(value)) ?? null
  );
}

/** Words of a message that tells of a failure. */
const BAD_WORDS =
  /error|fail|exceed|refus|denied|invalid|time(d )?[ -]?out|unavailable|overload|abort|cancel|interrupt|quota|limit|unable|cannot|could not|insufficient|balance|busy|try again|too many|unauthori|forbidden|blocked|terminat|disconnect|expired|crash|wrong|closed|unsupported|not (found|allowed|supported|loaded)/i;

/** Whether all that an inner object has of an error is a message, such as what a server is doing. */
function saysNothingBad(fields: Fields): boolean {
  const { message = '' } = ownDetail(fields);
  return (
    isMessageAlone(fields) && !isErrorAlone(fields) && namedErrorIn(fields) === undefined && !BAD_WORDS.test(message)
  );
}

/** Whether a message belongs to an answer that goes on. */
const isRemark = (chunk: Fields): boolean =>
  /ping|info|status|alive|heartbeat|progress|metric|source|citation|usage|meta|title/i.test(textOf(chunk['type'])) ||
  CODES.some((name) => chunk[name] !== undefined && chunk[name] !== null && isWell(chunk[name]));

/** Texts of no value, as of servers in Python. */
const NOTHING = /^(null|none|undefined|nil|false)?$/i;

/** Whether a value says something: not null, an empty text, zero, or a list or object of such values. */
export function says(value: unknown): boolean {
  if (typeof value === 'string') return !NOTHING.test(value.trim());
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.values(value).some(says);
}

/** Whether a code is absent or that of a success. */
function isWell(code: unknown): boolean {
  if (typeof code === 'number') return WELL.test(String(code));
  return typeof code !== 'string' || code === '' || WELL.test(code);
}

function ownDetail(fields: Fields): FailureDetail {
  const codes = CODES.map((name) => fields[name]);
  const message = MESSAGES.map((name) => fields[name]).find((value) => typeof value === 'string' && says(value));
  const read = typeof message === 'string' ? textDetail(message, MAX_DEPTH - 1) : {};
  const code = codes.find((value) => typeof value === 'string' || typeof value === 'number');
  const location = Array.isArray(fields['loc'])
    ? (fields['loc'] as unknown[]).findLast((step) => typeof step === 'string')
    : undefined;
  return present({
    ...read,
    type: textOf(fields['type']) || read.type,
    code: code === undefined ? read.code : textOf(String(code)),
    param: textOf(fields['param']) || textOf(location) || read.param,
    status: codes.map(statusOf).find((status) => status !== undefined) ?? read.status,
    hasReasons: isFields(fields['metadata']) && 'reasons' in fields['metadata'] ? true : undefined,
  });
}

/** A text, or the error in the JSON that it holds, as gateways pass it on. */
function textDetail(text: string, depth: number): FailureDetail {
  const start = text.search(/[[{]/);
  if (start !== -1 && depth < MAX_DEPTH && text.length < 64 * 1024) {
    try {
      const inner = detailOf(JSON.parse(text.slice(start)) as unknown, depth + 1);
      if (inner.message !== undefined || inner.param !== undefined)
        return { ...inner, message: inner.message ?? textOf(text) };
    } catch {
      // No JSON: the text is the message.
    }
  }
  return { message: textOf(text) };
}

/** Whether an object has a list of sentences for each field that is refused, as of Laravel, Rails and ASP.NET. */
const isByField = (fields: Fields): boolean => {
  const entries = Object.entries(fields).slice(0, 20);
  return entries.length > 0 && entries.every(([name, list]) => !isNest(name) && Array.isArray(list) && areTexts(list));
};

const isNest = (name: string): boolean => NESTS.some((nest) => nest === name);
const areTexts = (list: readonly unknown[]): boolean => list.length > 0 && list.every((one) => typeof one === 'string');

const entriesOf = (fields: Fields): Fields[] =>
  Object.entries(fields)
    .slice(0, 20)
    .map(([param, sentences]) => ({ param, message: (sentences as string[]).join(' ') }));

/** The messages of a list, as FastAPI sends one for each field. */
function listDetail(list: readonly unknown[], depth: number): FailureDetail {
  const details = list.slice(0, 20).map((entry) => detailOf(entry, depth + 1));
  const messages = details.flatMap(({ message, param }) => {
    if (message === undefined) return [];
    return [param === undefined || message.includes(param) ? message : `${param}: ${message}`];
  });
  const [first = {}] = details;
  return present({ ...first, message: messages.length === 0 ? undefined : textOf(messages.join('; ')) });
}

/** What the outer error says, completed by an inner one, whose message is the more exact one. */
function merged(outer: FailureDetail, inner: FailureDetail): FailureDetail {
  return present({
    message: inner.message ?? outer.message,
    type: outer.type ?? inner.type,
    code:
      outer.code === undefined || (/^\d+$/.test(outer.code) && inner.code !== undefined)
        ? (inner.code ?? outer.code)
        : outer.code,
    param: outer.param ?? inner.param,
    status: outer.status ?? inner.status,
    hasReasons: outer.hasReasons ?? inner.hasReasons,
  });
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

const present = (detail: FailureDetail): FailureDetail =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== undefined && value !== ''));

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');
