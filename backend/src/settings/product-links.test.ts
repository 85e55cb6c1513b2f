import { effectiveLinks, parseLink } from './product-links.js';

const NONE = { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null, termsUrl: null, contactUrl: null };

describe('parseLink', () => {
  it.each([
    ['', null],
    ['  ', null],
    [' https://Shop.example/vip?from=chat#top ', 'https://shop.example/vip?from=chat#top'],
    ['http://localhost:8080/terms', 'http://localhost:8080/terms'],
    ['mailto:help@example.com?subject=VIP', 'mailto:help@example.com?subject=VIP'],
  ])('reads %j', (given, expected) => {
    expect(parseLink('upgradeUrl', given)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://host/file',
    '//host/path',
    '/terms',
    'shop.example',
    'https://',
    'https://bank.example@elsewhere.example',
    'mailto:',
    'mailto:no-address',
    `https://host/${'x'.repeat(2048)}`,
  ])('refuses %j', (given) => {
    expect(() => parseLink('upgradeUrl', given)).toThrow('This is not a valid link.');
  });
});

describe('effectiveLinks', () => {
  it('prefers the settings to the environment', () => {
    const stored = { ...NONE, upgradeUrl: 'https://settings.example/', termsUrl: 'https://terms.example/' };
    const environment = { upgradeUrl: 'https://environment.example/', proAppUrl: 'https://pro.example/' };
    expect(effectiveLinks(stored, environment)).toEqual({
      ...NONE,
      upgradeUrl: 'https://settings.example/',
      proAppUrl: 'https://pro.example/',
      termsUrl: 'https://terms.example/',
    });
  });
});
