import { accessChange, effectiveAccess, keyChange, maskKey, parseBaseUrl } from './provider-access.js';

const KEY = 'sk-0123456789abcdef';

describe('maskKey', () => {
  it('shows the last four characters of a long key and nothing of a short one', () => {
    expect(maskKey(KEY)).toBe('••••••••cdef');
    expect(maskKey('short')).toBe('••••••••');
    expect(maskKey(null)).toBe('');
  });

  it('shows that there is one which cannot be read', () => {
    expect(maskKey(null, true)).toBe('••••••••');
    expect(keyChange('key', '••••••••', maskKey(null, true))).toBeUndefined();
  });
});

describe('keyChange', () => {
  it.each([
    ['absent', undefined, undefined],
    ['its mask', '••••••••cdef', undefined],
    ['emptied', '', null],
    ['blanks', '  ', null],
    ['another key', ' sk-another ', 'sk-another'],
  ])('handles a key field: %s', (_, given, expected) => {
    expect(keyChange('key', given, maskKey(KEY))).toBe(expected);
  });

  it.each(['••••••••', '••••••••abcd', 'sk-••••', 'sk with blanks', 'ключ', 'a\r\nb'])('refuses %j', (given) => {
    expect(() => keyChange('key', given, maskKey(KEY))).toThrow('This is not a valid API key.');
    expect(() => keyChange('key', given, maskKey(null))).toThrow('This is not a valid API key.');
  });
});

describe('parseBaseUrl', () => {
  it.each([
    ['', null],
    [' https://Openrouter.ai/api/v1/ ', 'https://openrouter.ai/api/v1'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1'],
    ['http://my_service:8000', 'http://my_service:8000'],
    ['http://[::1]:1234/v1', 'http://[::1]:1234/v1'],
  ])('reads %j', (given, expected) => {
    expect(parseBaseUrl('url', given)).toBe(expected);
  });

  it.each([
    'openrouter.ai',
    'ftp://host',
    'javascript:alert(1)',
    'http://user@host',
    'http://host/?key=1',
    'http://169.254.169.254/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://100.100.100.200/',
    `http://host/${'x'.repeat(600)}`,
  ])('refuses %j', (given) => {
    expect(() => parseBaseUrl('url', given)).toThrow();
  });
});

describe('effectiveAccess', () => {
  const none = { apiKey: null, baseUrl: null };
  const environment = { apiKey: 'env', baseUrl: 'https://env.example/v1/' };

  it('prefers the settings to the environment', () => {
    expect(effectiveAccess({ apiKey: 'set', baseUrl: null }, environment)).toEqual({ ...environment, apiKey: 'set' });
    expect(effectiveAccess(none, environment)).toEqual(environment);
  });

  it('does not combine the environment’s key with a base URL of the settings', () => {
    const elsewhere = { apiKey: null, baseUrl: 'https://elsewhere.example' };
    expect(effectiveAccess(elsewhere, environment)).toEqual(elsewhere);
    expect(effectiveAccess({ apiKey: null, baseUrl: 'https://env.example/v1' }, environment)).toEqual(environment);
  });
});

describe('accessChange', () => {
  const fields = { apiKey: 'apiKey', baseUrl: 'baseUrl' };
  const stored = { apiKey: KEY, baseUrl: null, hasKey: true };

  it('demands the key again with a new base URL while one is stored, readable or not', () => {
    for (const each of [stored, { ...stored, apiKey: null }]) {
      expect(() => accessChange(fields, { baseUrl: 'https://host' }, each)).toThrow('enter the API key again');
    }
    const moved = accessChange(fields, { baseUrl: 'https://host', apiKey: 'sk-2' }, stored);
    expect(moved).toEqual({ baseUrl: 'https://host', apiKey: 'sk-2' });
    expect(accessChange(fields, {}, stored)).toEqual({ baseUrl: null, apiKey: undefined });
  });
});
