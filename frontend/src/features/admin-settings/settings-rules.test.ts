import { RULES } from './settings-rules';

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
