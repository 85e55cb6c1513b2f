import { ruleOf } from './setting-rule';
import { toLines } from './setting-values';

describe('settings rules', () => {
  it('requires texts and limits their length', () => {
    expect(ruleOf('siteTitle')(' ')).toBe('Site title is required');
    expect(ruleOf('siteTitle')('x'.repeat(51))).toBe('Site title must be 50 characters or less');
    expect(ruleOf('siteTitle')('x'.repeat(50))).toBe(true);
    expect(ruleOf('welcomeMessage')('x'.repeat(201))).toBe('Welcome message must be 200 characters or less');
    expect(ruleOf('systemPrompt')('x'.repeat(1001))).toBe('System prompt must be 1000 characters or less');
  });

  it.each([
    ['guestMessageQuota', '0', 'Must be at least 1'],
    ['guestMessageQuota', '101', 'Maximum 100 messages'],
    ['guestMessageQuota', '', 'Must be at least 1'],
    ['guestMessageQuota', '2.5', 'Must be at least 1'],
    ['freeUserMessageQuota', '1001', 'Maximum 1000 messages'],
    ['premiumUserMessageQuota', '-2', 'Use -1 for unlimited'],
    ['premiumUserMessageQuota', '1000001', 'Maximum 1,000,000 messages'],
    ['guestHourlyBudget', '0', 'Must be at least 1'],
    ['guestHourlyBudget', '1000001', 'Enter a whole number from 1 to 1,000,000.'],
    ['maxSteps', '51', 'Enter a whole number from 0 to 50.'],
  ] as const)('refuses %s %p with %p', (field, value, message) => {
    expect(ruleOf(field)(value)).toBe(message);
  });

  it('accepts the bounds', () => {
    expect(ruleOf('guestMessageQuota')('1')).toBe(true);
    expect(ruleOf('guestMessageQuota')('100')).toBe(true);
    expect(ruleOf('premiumUserMessageQuota')('-1')).toBe(true);
    expect(ruleOf('premiumUserMessageQuota')('1000000')).toBe(true);
  });
});

describe('addresses of services', () => {
  it.each(['searxngUrl', 'openaiBaseUrl', 'alertWebhookUrl'] as const)('checks that of %s', (field) => {
    for (const value of ['', ' https://search.example/ ', 'HTTP://10.0.0.7:8080/v1'])
      expect(ruleOf(field)(value)).toBe(true);
    for (const value of ['localhost:8080', 'ftp://search.example', 'https://'])
      expect(ruleOf(field)(value)).toBe('Enter an address that begins with http:// or https://.');
  });
});

describe('links', () => {
  it.each(['', 'https://shop.example/vip', 'HTTP://shop.example', 'mailto:help@shop.example'])(
    'accepts %j',
    (value) => {
      expect(ruleOf('termsUrl')(value)).toBe(true);
    },
  );

  it.each(['javascript:alert(1)', 'shop.example', '//shop.example', 'https://', 'ftp://shop.example'])(
    'refuses %j',
    (value) => {
      expect(ruleOf('termsUrl')(value)).toBe('Enter a link that begins with https://, http:// or mailto:.');
    },
  );
});

describe('ideas', () => {
  it('are limited in number', () => {
    const ideas = (count: number) => toLines(Array.from({ length: count }, (_, index) => `Idea ${index}`));
    expect(ruleOf('starters')(ideas(100))).toBe(true);
    expect(ruleOf('starters')(ideas(101))).toBe('At most 100 ideas can be saved.');
  });
});
