import { ProviderError } from '../provider-error.js';
import { failureOf, failureOfEvent, failureOfResponse, secondsOf } from './upstream-failure.js';

it.each([
  [{ code: 'ECONNREFUSED' }, 'provider_unreachable'],
  [{ code: 'ENOTFOUND' }, 'provider_unreachable'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'provider_unreachable'],
  [{ code: 'UND_ERR_SOCKET' }, 'provider_unreachable'],
  [{ code: 'HPE_INVALID_CONSTANT' }, 'provider_error'],
  [{ code: 'UND_ERR_INVALID_ARG' }, 'provider_error'],
  [new SyntaxError('Unexpected token'), 'provider_error'],
  [undefined, 'provider_error'],
] as const)('converts %p to %s', (error, code) => {
  expect(failureOf(error)).toMatchObject({ code });
});

it('returns a ProviderError unchanged', () => {
  const failure = new ProviderError('provider_refused');
  expect(failureOf(failure)).toBe(failure);
});

it.each([
  [{ code: 401 }, 'provider_auth'],
  [{ code: '402' }, 'provider_credit'],
  [{ code: 403, metadata: { reasons: ['violence'] } }, 'provider_refused'],
  [{ type: 'overloaded_error' }, 'provider_busy'],
  [{ code: 'content_filter' }, 'provider_refused'],
  [{ code: 'context_length_exceeded', message: 'too long' }, 'provider_context'],
  [{ code: 413 }, 'provider_context'],
  [{ code: 7, message: { nested: true } }, 'provider_error'],
  [null, 'provider_error'],
] as const)('converts the error object %j to %s', (error, code) => {
  expect(failureOfEvent(error)).toMatchObject({ code });
});

const BILLING = 'Rate limit reached. Visit https://example.org/account/billing to add a payment method.';
const PLAN = 'You exceeded your current quota, please check your plan and billing details.';

it.each([
  [{ code: 'rate_limit_exceeded', message: BILLING }, undefined, 'provider_busy'],
  [{ type: 'rate_limit_error', message: PLAN }, undefined, 'provider_busy'],
  [{ message: BILLING }, undefined, 'provider_busy'],
  [{ message: PLAN }, '30', 'provider_busy'],
  [{ message: PLAN }, undefined, 'provider_credit'],
  [{ code: 'insufficient_quota', message: PLAN }, '30', 'provider_credit'],
  [{ type: 'exceeded_current_quota_error', message: 'suspended' }, undefined, 'provider_credit'],
  [{ code: 'billing_not_active', message: 'x' }, undefined, 'provider_credit'],
] as const)('converts the 429 %j with Retry-After %p to %s', (error, retryAfter, code) => {
  expect(failureOfResponse(429, retryAfter, JSON.stringify({ error }))).toMatchObject({ code });
});

it('reads Retry-After in seconds or as a date, up to a day', () => {
  expect(secondsOf('2')).toBe(2);
  expect(secondsOf('0.2')).toBe(1);
  expect(secondsOf('-5')).toBe(0);
  expect(secondsOf('999999999')).toBe(86_400);
  expect(secondsOf(new Date(Date.now() + 90_000).toUTCString())).toBeGreaterThan(80);
  expect(secondsOf('soon')).toBeUndefined();
  expect(secondsOf(undefined)).toBeUndefined();
});
