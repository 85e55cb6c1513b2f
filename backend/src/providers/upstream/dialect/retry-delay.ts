/** Response headers in which servers say when to ask again. */
export const RETRY_HEADERS = [
  'retry-after',
  'retry-after-ms',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-tokens',
] as const;

export type RetryHeaders = Partial<Record<(typeof RETRY_HEADERS)[number], string>>;

/** The delay in the body of an error, in seconds: of Gemini, of Cloudflare and gateways, of OpenRouter as a moment. */
const FIELDS = /"(?:retryDelay|retry_?after(?:_seconds)?|x-ratelimit-reset)"\s*:\s*"?(\d[\d.]{0,16}s?)\b/i;

const UNITS = 'milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h';
/** The delay in words: "try again in 7m12s" of OpenAI and Groq, "retry after 37 seconds" of Azure, "wait 2 minutes". */
const WORDS = new RegExp(
  `\\b(?:try again|retry|wait|resets?)\\b(?: (?:in|after|for|at least)\\b)* ((?:\\d[\\d.]{0,10} ?(?:${UNITS})(?![a-z])[ ,]{0,2}(?:and )?){1,3})`,
  'i',
);
const PART = new RegExp(`(?<![\\d.])(\\d[\\d.]{0,10}) ?(${UNITS})(?![a-z])`, 'gi');

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, m: 60, h: 3600, s: 1 };

/** Longest delay that is reported, in seconds: one day. */
const MOST = 86_400;

/**
 * Seconds after which a server asks to be called again, whole ones up to a day; undefined where it does not say. The end of a
 * window of its rates counts only where it says nothing else: many servers name it in each answer.
 */
export const retryDelayOf = (headers: RetryHeaders, body: string): number | undefined =>
  statedDelayOf(headers, body) ?? windowDelayOf(headers);

/** The delay that a server states for this request. */
export function statedDelayOf(headers: RetryHeaders, body: string): number | undefined {
  const milliseconds = headers['retry-after-ms'];
  return firstOf([
    milliseconds ? Number(milliseconds) / 1000 : undefined,
    secondsIn(headers['retry-after']),
    secondsIn(FIELDS.exec(body)?.[1]),
    secondsIn(WORDS.exec(body)?.[1]),
  ]);
}

/** Seconds to the end of a window in which no requests or tokens are left. A window that has ended says nothing. */
function windowDelayOf(headers: RetryHeaders): number | undefined {
  const delays = [
    endsLater(headers['x-ratelimit-reset'], headers['x-ratelimit-remaining'] ?? '0'),
    endsLater(headers['ratelimit-reset'], headers['ratelimit-remaining'] ?? '0'),
    ...(['requests', 'tokens'] as const).map((unit) =>
      endsLater(headers[`x-ratelimit-reset-${unit}`], headers[`x-ratelimit-remaining-${unit}`]),
    ),
  ];
  return firstOf(delays);
}

function endsLater(reset: string | undefined, remaining: string | undefined): number | undefined {
  const seconds = remaining === '0' ? secondsIn(reset) : undefined;
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
}

function firstOf(delays: readonly (number | undefined)[]): number | undefined {
  const delay = delays.find((each) => each !== undefined && Number.isFinite(each));
  return delay === undefined ? undefined : Math.min(Math.max(Math.ceil(delay), 0), MOST);
}

/** Numbers above these are moments since 1970, in seconds and in milliseconds. */
const EPOCH = { seconds: 1e9, milliseconds: 1e12 };

/** Seconds from now: of a number, a moment, a duration such as `6m0s`, or a date. */
function secondsIn(value: string | undefined): number | undefined {
  if (!value) return undefined;
  // A proxy that repeats a header joins both.
  const number = Number(/^\s*(\d[\d.]*)\s*,/.exec(value)?.[1] ?? value);
  if (number > EPOCH.milliseconds) return (number - Date.now()) / 1000;
  if (number > EPOCH.seconds) return number - Date.now() / 1000;
  if (Number.isFinite(number)) return number;
  const parts = [...value.matchAll(PART)];
  if (parts.length === 0) return (Date.parse(value) - Date.now()) / 1000;
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * secondsOfUnit(unit.toLowerCase()), 0);
}

const secondsOfUnit = (unit: string): number =>
  SECONDS[unit.startsWith('milli') ? 'ms' : unit.startsWith('min') ? 'm' : unit] ?? SECONDS[unit.charAt(0)] ?? 1;
