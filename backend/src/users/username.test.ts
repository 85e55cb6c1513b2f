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
  ])('takes %j and %j for one name', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  it('does not change a key', () => {
    for (const name of ['Admin', 'İstanbul', 'ǅ', 'ß', 'ᾳ'])
      expect(usernameKey(usernameKey(name))).toBe(usernameKey(name));
  });

  it('keeps different names apart', () => {
    expect(usernameKey('admin')).not.toBe(usernameKey('admin1'));
  });
});

describe('isUsername', () => {
  it.each(['ayu', 'Ayu Lestari', '王小明', 'ayu.lestari@example.com', '🌊'])('takes %j', (name) => {
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
