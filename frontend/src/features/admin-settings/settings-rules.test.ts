import { fromLines, RULES, toLines, toRequest, type SettingsValues } from './settings-rules';

describe('settings rules', () => {
  it('requires texts and limits their length', () => {
    expect(RULES.siteTitle(' ')).toBe('Site title is required');
    expect(RULES.siteTitle('x'.repeat(51))).toBe('Site title must be 50 characters or less');
    expect(RULES.siteTitle('x'.repeat(50))).toBe(true);
    expect(RULES.welcomeMessage('x'.repeat(201))).toBe('Welcome message must be 200 characters or less');
    expect(RULES.systemPrompt('x'.repeat(1001))).toBe('System prompt must be 1000 characters or less');
  });

  it.each([
    ['guestMessageQuota', '0', 'Must be at least 1'],
    ['guestMessageQuota', '101', 'Maximum 100 messages'],
    ['guestMessageQuota', '', 'Must be at least 1'],
    ['guestMessageQuota', '2.5', 'Must be at least 1'],
    ['freeUserMessageQuota', '1001', 'Maximum 1000 messages'],
    ['premiumUserMessageQuota', '-2', 'Use -1 for unlimited'],
    ['premiumUserMessageQuota', '1000001', 'Maximum 1,000,000 messages'],
  ] as const)('refuses %s %p with %p', (field, value, message) => {
    expect(RULES[field](value)).toBe(message);
  });

  it('accepts the bounds', () => {
    expect(RULES.guestMessageQuota('1')).toBe(true);
    expect(RULES.guestMessageQuota('100')).toBe(true);
    expect(RULES.premiumUserMessageQuota('-1')).toBe(true);
    expect(RULES.premiumUserMessageQuota('1000000')).toBe(true);
  });
});

describe('links', () => {
  it.each(['', 'https://shop.example/vip', 'HTTP://shop.example', 'mailto:help@shop.example'])(
    'accepts %j',
    (value) => {
      expect(RULES.link(value)).toBe(true);
    },
  );

  it.each(['javascript:alert(1)', 'shop.example', '//shop.example', 'https://', 'ftp://shop.example'])(
    'refuses %j',
    (value) => {
      expect(RULES.link(value)).toBe('Enter a link that begins with https://, http:// or mailto:.');
    },
  );
});

describe('ideas', () => {
  it('are kept as lines, an empty row included', () => {
    for (const ideas of [[], [''], ['One'], ['One', '', 'Two']]) expect(fromLines(toLines(ideas))).toEqual(ideas);
  });

  it('are limited in number', () => {
    const ideas = (count: number) => toLines(Array.from({ length: count }, (_, index) => `Idea ${index}`));
    expect(RULES.starters(ideas(100))).toBe(true);
    expect(RULES.starters(ideas(101))).toBe('At most 100 ideas can be saved.');
  });
});

it('builds a request of the changed fields, with numbers and lists', () => {
  const values = { siteTitle: 'A', guestMessageQuota: '7', starters: ' One \n\nTwo\n' } as SettingsValues;
  expect(toRequest(values, ['guestMessageQuota', 'starters'])).toEqual({
    guestMessageQuota: 7,
    starters: ['One', 'Two'],
  });
});
