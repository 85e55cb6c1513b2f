import { CONNECTION_FAULTS, type ConnectionFault } from '@tanya/contract';
import { loadTexts, showLanguage } from '../../../app/i18n/load-texts';
import { failureSentence, faultSentence, outcomeSentence } from './fault-sentence';

beforeAll(() => loadTexts('admin'));
afterEach(() => showLanguage('spec'));

const refused = { ok: false, fault: 'http_error', message: 'The provider answered with status 503.', ms: 1 } as const;

test.each(['spec', 'en'] as const)('%s shows the sentence of the server', async (language) => {
  await showLanguage(language);
  expect(outcomeSentence(refused)).toBe(refused.message);
  expect(outcomeSentence({ ok: true, message: 'Connected.', ms: 1, models: 3 })).toBe('Connected.');
  expect(failureSentence({ code: 'provider_auth', message: 'The key was refused.' })).toBe('The key was refused.');
});

test('another language has a sentence for every fault and result', async () => {
  await showLanguage('id');
  for (const fault of Object.keys(CONNECTION_FAULTS) as ConnectionFault[])
    expect(faultSentence(fault, 'English')).not.toBe('English');
  expect(outcomeSentence({ ...refused, status: 503 })).toBe('Layanan menjawab dengan status 503.');
  expect(outcomeSentence({ ok: true, message: 'x', ms: 1, models: 3 })).toBe('Terhubung. Penyedia memiliki 3 model.');
  expect(outcomeSentence({ ok: true, message: 'x', ms: 1, results: 0 })).toContain('tidak menemukan');
  expect(failureSentence({ code: 'provider_auth', message: 'x' })).toBe('Layanan menolak kunci API.');
});
