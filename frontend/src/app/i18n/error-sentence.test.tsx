import { FILE_NOTICES, type FileNotice } from '@tanya/contract';
import { fieldSentence, noticeText, sentenceOf } from './error-sentence';
import { loadTexts, showLanguage } from './load-texts';

const refused = { code: 'too_large', message: 'File terlalu besar. Ukuran maksimum adalah 10MB.' };
const params = { reason: 'document', max: 10 };

beforeAll(() => loadTexts('more'));
afterEach(() => showLanguage('spec'));

describe('sentenceOf', () => {
  it('shows the sentence of the server in spec', () => {
    expect(sentenceOf({ ...refused, details: { params } })).toBe(refused.message);
  });

  it('makes the sentence of a reason in the language of the page', async () => {
    await showLanguage('en');
    expect(sentenceOf({ ...refused, details: { params } })).toBe('File too large. The maximum size is 10MB.');
    await showLanguage('id');
    expect(sentenceOf({ ...refused, params })).toBe(refused.message);
  });

  it('falls back to the sentence of the code, and in English to that of the server', async () => {
    const error = { code: 'conflict', message: 'Something particular.', details: { params: { reason: 'new' } } };
    await showLanguage('en');
    expect(sentenceOf(error)).toBe('Something particular.');
    await showLanguage('id');
    expect(sentenceOf(error)).toMatch(/^Perubahan ini berbenturan/);
  });

  it('shows the sentence of the server for an unknown code', async () => {
    await showLanguage('id');
    expect(sentenceOf({ code: 'of_the_future', message: 'A new refusal.' })).toBe('A new refusal.');
  });

  it('shows the first refused field', async () => {
    await showLanguage('id');
    const details = [{ field: 'password', message: 'This password is too easy to guess.', code: 'isUncommon' }];
    expect(sentenceOf({ code: 'invalid', message: 'Invalid', details })).toMatch(/terlalu mudah ditebak/);
    expect(fieldSentence({ field: 'x', message: 'too short', code: 'minLength' })).toBe('Teks ini terlalu pendek.');
  });
});

describe('noticeText', () => {
  const notice = '2 earlier messages were left out to fit the model. A document was cut to fit the model.';
  const notices = [{ code: 'earlier_left_out' as const, params: { count: 2 } }, { code: 'document_cut' as const }];

  it('shows the stored sentence in spec and on messages without codes', async () => {
    expect(noticeText(notices, notice)).toBe(notice);
    await showLanguage('id');
    expect(noticeText(undefined, notice)).toBe(notice);
    expect(noticeText(undefined, null)).toBeNull();
  });

  it('makes the sentences of the codes', async () => {
    await showLanguage('id');
    expect(noticeText(notices, notice)).toBe(
      '2 pesan sebelumnya tidak disertakan agar muat untuk model. Sebuah dokumen dipotong agar muat untuk model.',
    );
  });

  it('makes the sentence of an uploaded document', async () => {
    await showLanguage('id');
    expect(noticeText([{ code: 'text_cut', params: { max: 200_000 } }], notice)).toBe(
      'Hanya 200.000 karakter pertama dari dokumen ini yang dibaca.',
    );
  });

  it('has a sentence for every code of a document', async () => {
    await showLanguage('id');
    for (const code of Object.keys(FILE_NOTICES) as FileNotice['code'][])
      expect(noticeText([{ code }], null)).toEqual(expect.any(String));
  });

  it('shows the stored sentence when one code is unknown', async () => {
    await showLanguage('id');
    expect(noticeText([...notices, { code: 'of_the_future' as 'message_cut' }], notice)).toBe(notice);
  });
});
