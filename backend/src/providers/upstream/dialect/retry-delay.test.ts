import { retryDelayOf } from './retry-delay.js';

const inSeconds = (seconds: number): number => Date.now() + seconds * 1000;

it('reads Retry-After in seconds or as a date, up to a day', () => {
  const delayOf = (value: string): number | undefined => retryDelayOf({ 'retry-after': value }, '');
  expect(delayOf('2')).toBe(2);
  expect(delayOf('0.2')).toBe(1);
  expect(delayOf('-5')).toBe(0);
  expect(delayOf('12, 12')).toBe(12);
  expect(delayOf('999999999')).toBe(86_400);
  expect(delayOf(new Date(inSeconds(90)).toUTCString())).toBeGreaterThan(60);
  expect(delayOf('soon')).toBeUndefined();
  expect(retryDelayOf({}, '')).toBeUndefined();
});

it.each([
  [{ 'retry-after-ms': '2500', 'retry-after': '60' }, 3],
  [{ 'x-ratelimit-reset': '45' }, 45],
  [{ 'ratelimit-reset': '45' }, 45],
  [{ 'ratelimit-reset': '45', 'ratelimit-remaining': '3' }, undefined],
  [{ 'x-ratelimit-reset': '0' }, undefined],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, 360],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '120ms' }, 1],
  [{ 'x-ratelimit-remaining-tokens': '149984', 'x-ratelimit-reset-tokens': '6m0s' }, undefined],
])('reads the delay in the headers %j', (headers, delay) => {
  expect(retryDelayOf(headers, '{}')).toBe(delay);
});

it.each([
  ['seconds', String(Math.floor(inSeconds(3_600) / 1000))],
  ['milliseconds', String(inSeconds(3_600))],
  ['a date', new Date(inSeconds(3_600)).toISOString()],
])('reads a moment in %s', (_name, moment) => {
  const delays = [
    retryDelayOf({ 'x-ratelimit-reset': moment }, ''),
    retryDelayOf({}, JSON.stringify({ error: { metadata: { headers: { 'X-RateLimit-Reset': moment } } } })),
  ];
  expect(delays[0]).toBeGreaterThan(3_500);
  if (/^\d+$/.test(moment)) expect(delays[1]).toBeGreaterThan(3_500);
});

it.each([
  [{ message: 'You are being rate limited.', retry_after: 45.2 }, 46],
  [{ error: { metadata: { retry_after_seconds: 30 } } }, 30],
  [{ message: 'Requests have exceeded call rate limit. Please retry after 37 seconds.' }, 37],
  [{ message: 'Rate limit reached. Please wait 20 seconds before retrying.' }, 20],
  [{ message: 'Too many requests, try again in 2 minutes.' }, 120],
  [{ message: 'Please retry in 1 hour, 5 minutes.' }, 3_900],
  [{ message: 'Quota resets in 3h' }, 10_800],
  [{ message: 'Try again in 1 minute and 30 seconds.' }, 90],
  [{ message: 'Do not retry after 3 failures.' }, undefined],
  [{ message: 'wait for 2 more models' }, undefined],
])('reads the delay in the body %j', (body, delay) => {
  expect(retryDelayOf({}, JSON.stringify(body))).toBe(delay);
});

it('prefers what a server says of this request to the end of a window', () => {
  expect(retryDelayOf({ 'x-ratelimit-reset': '86000' }, '{"message":"Please try again in 2s"}')).toBe(2);
});
