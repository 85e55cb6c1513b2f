import { initials } from './sidebar-footer';

it.each([
  ['sari', 'SA'],
  ['x', 'X'],
  ['élan', 'ÉL'],
  ['e\u0301lan', 'E\u0301L'],
  ['👩‍👩‍👧ibu', '👩‍👩‍👧I'],
  ['🇮🇩🇮🇩🇮🇩', '🇮🇩🇮🇩'],
  ['ßen', 'SS'],
])('of %s are %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

it('do not split characters without Intl.Segmenter', () => {
  const { Segmenter } = Intl;
  try {
    Reflect.deleteProperty(Intl, 'Segmenter');
    expect(initials('🦊fox')).toBe('🦊F');
  } finally {
    Object.assign(Intl, { Segmenter });
  }
});
