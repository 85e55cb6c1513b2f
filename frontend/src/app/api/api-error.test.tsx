import type { ErrorBody } from '@tanya/contract';
import { loadTexts, showLanguage } from '../i18n/load-texts';
import { toApiError } from './api-client';
import { ApiError, errorText } from './api-error';

const refusal = (statusCode: number, code: ErrorBody['code'], message: string) =>
  ApiError.fromBody({ statusCode, code, message, retryable: false, requestId: 'r' });

test('has the status and the message of the response', () => {
  expect(refusal(401, 'invalid_credentials', 'The username or password is not right.').message).toBe(
    '401: The username or password is not right.',
  );
  expect(new ApiError(502, 'network', 'Bad Gateway').message).toBe('502: Bad Gateway');
});

test('has the status and the text of an answer that is not the server’s, or the status text where it has none', () => {
  const messageOf = (text: string) => toApiError(500, 'Internal Server Error', text).message;
  expect(messageOf('out of workers\n')).toBe('500: out of workers');
  expect(messageOf('{"message":"out of workers"}')).toBe('500: out of workers');
  expect(messageOf('{"reason":"workers"}')).toBe('500: {"reason":"workers"}');
  expect(messageOf('x'.repeat(5000))).toHaveLength('500: '.length + 300);
  for (const nothing of ['', ' ', '\n<html><h1>Bad</h1></html>', '<!doctype html>']) {
    expect(messageOf(nothing)).toBe('500: Internal Server Error');
  }
  for (const odd of ['null', '5', '[]', '{"message":5}']) expect(messageOf(odd)).toBe(`500: ${odd}`);
  expect(errorText(toApiError(502, 'Bad Gateway', 'upstream is away'))).toBe('502: upstream is away');
  const numbered = toApiError(503, 'Service Unavailable', '{"code":503,"message":"upstream is away"}');
  expect([numbered.code, errorText(numbered)]).toEqual(['network', '503: upstream is away']);
  expect(errorText(toApiError(400, 'Bad Request', '{"code":"BadInput","message":{"field":"x"}}'))).toBe('Bad Request');
});

test('shows the server’s sentence, and the status of an internal error', () => {
  expect(errorText(refusal(409, 'username_taken', 'This username is already taken.'))).toBe(
    'This username is already taken.',
  );
  expect(errorText(refusal(500, 'internal', 'Something went wrong on our side.'))).toBe(
    '500: Something went wrong on our side.',
  );
  expect(errorText(ApiError.network())).toBe('The server can’t be reached. Check your connection and try again.');
  expect(errorText('?')).toBe('Something went wrong. Please try again.');
});

test('shows an internal error and that of a proxy in the language of the page', async () => {
  await loadTexts('more');
  await showLanguage('id');
  const internal = 'Server gagal memproses permintaan ini. Silakan coba lagi.';
  expect(errorText(refusal(500, 'internal', 'The server failed.'))).toBe(internal);
  expect(errorText(new ApiError(413, 'internal', 'Request Entity Too Large'))).toBe(internal);
  expect(errorText(new ApiError(502, 'network', 'Bad Gateway'))).toMatch(/^Server tidak dapat dihubungi/);
  await showLanguage('spec');
  expect(errorText(new ApiError(502, 'network', 'Bad Gateway'))).toBe('502: Bad Gateway');
});
