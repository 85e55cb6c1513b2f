import { isUsername, usernameKey } from './username.js';

describe('usernameKey', () => {
  it.each([
    ['Admin', 'admin'],
    ['ＡＤＭＩＮ', 'admin'],
    [' admin ', 'admin'],
    ['straße', 'STRASSE'],
    ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['ﬁn', 'FIN'],
    ['e\u0301', 'é'],
  ])('maps %j and %j to one key', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  it('maps a key to itself', () => {
    for (const name of ['Admin', 'İstanbul', 'ǅ', 'ß', 'ᾳ'])
      expect(usernameKey(usernameKey(name))).toBe(usernameKey(name));
  });

  it('maps different names to different keys', () => {
    expect(usernameKey('admin')).not.toBe(usernameKey('admin1'));
  });
});

describe('isUsername', () => {
  it.each(['ayu', 'Ayu Lestari', '王小明', 'ayu.lestari@example.com', '🌊'])('accepts %j', (name) => {
    expect(isUsername(name)).toBe(true);
  });

  it.each([
    '',
    '   ',
    'adm\u200bin',
    'admin\u00ad',
    '\u202eadmin',
    'a\nb',
    'a\u0000',
    '\ud800',
    'admin\u034f',
    'a\ufe0f',
  ])('refuses %j', (name) => {
    expect(isUsername(name)).toBe(false);
  });
});
