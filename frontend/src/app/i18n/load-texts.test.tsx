import { loadTexts, showLanguage, shownLanguage } from './load-texts';
import { findText, t } from './translate';

afterEach(() => showLanguage('spec'));

test('shows the texts, the tag and the direction of a language', async () => {
  await showLanguage('id');
  expect(t('sidebar.newChat')).toBe('Obrolan baru');
  expect(document.documentElement.lang).toBe('id');
  expect(document.documentElement.dir).toBe('ltr');
  await showLanguage('en');
  expect(t('chat.upgrade')).toBe('Upgrade to VIP');
  expect(document.documentElement.lang).toBe('en');
});

test('loads the parts that are in use for a language that is chosen later', async () => {
  await loadTexts('admin');
  await showLanguage('id');
  expect(t('connections.sentence')).toMatch(/^Server yang menjawab/);
});

test('loads a part for the language that is chosen meanwhile', async () => {
  const loading = loadTexts('starters');
  await Promise.all([loading, showLanguage('id')]);
  expect(findText('starters.0')).toMatch(/^Jelaskan/);
});

test('shows the last of several choices', async () => {
  await Promise.all([showLanguage('id'), showLanguage('en'), showLanguage('id')]);
  expect(shownLanguage()).toBe('id');
});

test('fills in values and plurals', async () => {
  await loadTexts('more');
  expect(t('attachments.retry', { name: '{x} <b>' })).toBe('Upload {x} <b> again');
  expect(t('find.count', { count: 1 })).toBe('1 message');
  expect(t('find.count', { count: 2 })).toBe('2 messages');
  await showLanguage('id');
  expect(t('find.count', { count: 2 })).toBe('2 pesan');
});
