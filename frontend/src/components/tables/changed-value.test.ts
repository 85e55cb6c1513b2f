import { SETTINGS } from '@tanya/contract';
import { findText } from '../../app/i18n/translate';
import { settingChoices } from '../forms/setting-choices';
import { changedValue } from './changed-value';

const shown = (field: string, value: unknown, other?: unknown) => changedValue(field, value, other, false).text;

test('every choice of a setting has the words of its form', () => {
  const choices = Object.entries(SETTINGS).flatMap(([name, setting]) =>
    setting.kind === 'choice' ? setting.choices.map((choice) => ({ name, choice })) : [],
  );
  expect(choices.length).toBeGreaterThan(10);
  for (const { name, choice } of choices) expect(findText(settingChoices(name)[choice] ?? '')).not.toBeNull();
});

test('a choice, a switch and an empty choice of a model are said as the form says them', () => {
  expect(shown('registrationMode', 'approval', 'open')).toBe('Approval by an admin');
  expect(shown('guestsEnabled', false, true)).toBe('Members only');
  expect(shown('titleModelId', null, 'a/b')).toBe('The model of the chat');
  expect(shown('siteTitle', 'constructor', 'open')).toBe('constructor');
  expect(shown('constructor', 'name', '')).toBe('name');
});

test('only the parts of a setting that differ are shown, by their names', () => {
  const before = { web_search: ['free', 'premium'], read_page: ['guest'] };
  const after = { web_search: ['premium'], read_page: ['guest'] };
  expect(shown('builtInTools', before, after)).toBe('Web search: Free members, Premium members');
  expect(shown('builtInTools', { ...after, web_search: [] }, before)).toBe('Web search: empty');
  expect(shown('projectLimits', { free: { files: 1000, bytes: 5 } }, { free: { files: 100, bytes: 5 } })).toBe(
    'Free members · Files: 1,000',
  );
  expect(shown('apiAccess', { free: false, premium: true }, { free: true, premium: true })).toBe('Free members: no');
});

test('of a long list only the entries that the other one lacks are shown, and how many are equal', () => {
  const ideas = Array.from({ length: 12 }, (_, index) => `Idea ${index}`);
  const after = ['New one', ...ideas.slice(1)];
  expect(changedValue('starters', ideas, after, false)).toEqual({ text: 'Idea 0\n11 entries as before', isPart: true });
  expect(shown('starters', after, ideas)).toBe('New one\n11 entries as before');
  expect(shown('starters', ideas, [...ideas, 'Last one'])).toBe('12 entries as before');
  expect(changedValue('starters', ideas, after, true)).toEqual({ text: ideas.join('\n'), isPart: false });
});

test('a short list, and one in another order, are shown whole', () => {
  expect(shown('allowedEmailDomains', ['a.example', 'b.example'], ['a.example'])).toBe('a.example\nb.example');
  const ideas = Array.from({ length: 12 }, (_, index) => `Idea ${index}`);
  expect(shown('starters', ideas.toReversed(), ideas)).toBe(ideas.toReversed().join('\n'));
});

test('of a long text the differing words are shown with those around them', () => {
  const prompt = (word: string) =>
    `${'You answer in short sentences. '.repeat(20)}Be ${word}. ${'Ask back. '.repeat(20)}`;
  const value = changedValue('systemPrompt', prompt('friendly'), prompt('strict'), false);
  expect(value.isPart).toBe(true);
  expect(value.text).toMatch(/^….*sentences\. Be friendly\. Ask back\..*…$/);
  expect(value.text.length).toBeLessThan(200);
  expect(changedValue('systemPrompt', prompt('friendly'), prompt('strict'), true).text).toBe(prompt('friendly'));
  expect(shown('systemPrompt', 'x'.repeat(500), 'y'.repeat(500))).toBe('x'.repeat(500));
});

test('moments are dates, and numbers of other things than settings stay as they are', () => {
  expect(shown('expiresAt', '2026-11-22T09:41:00.000Z', null)).toContain('2026');
  expect(shown('expiresAt', '2026-11-22T09:41:00.000Z', null)).not.toContain('T09');
  expect(shown('connectionId', 1234, null)).toBe('1234');
  expect(shown('guestHourlyBudget', 12000, 100)).toBe('12,000');
});

test('the codes of logins, models, keys and accounts are said in words', () => {
  expect(shown('way', 'oidc')).toBe('Identity provider');
  expect(shown('result', 'failure')).toBe('Refused');
  expect(shown('kind', 'embedding')).toBe('Embeddings');
  expect(shown('access', 'groups', 'everyone')).toBe('Groups');
  expect(shown('scope', 'admin')).toBe('Administration');
  expect(shown('budgetPeriod', 'weekly', 'never')).toBe('Every week');
  expect(shown('reason', 'Our own words')).toBe('Our own words');
  expect(shown('name', 'admin')).toBe('admin');
});
