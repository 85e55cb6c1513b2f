import type { ErrorBody } from '@tanya/contract';
import { loadTexts, showLanguage } from '../i18n/load-texts';
import { ApiError, errorText } from './api-error';

const refusal = (statusCode: number, code: ErrorBody['code'], message: string) =>
  ApiError.fromBody({ statusCode, code, message, retryable: false, requestId: 'r' });

test('has the status and the message of the response', () => {
  expect(refusal(401, 'invalid_credentials', 'The username or password is not right.').message).toBe(
    '401: The username or password is not right.',
  );
  expect(new ApiError(502, 'network', 'Bad Gateway').message).toBe('502: Bad Gateway');
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
