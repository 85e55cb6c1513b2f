import { isKnownAddress } from '../built-in/read-page.js';
import { pageAddress } from './page-address.js';

describe('pageAddress', () => {
  it('drops the fragment', () => {
    expect(pageAddress('https://a.example/x#y').href).toBe('https://a.example/x');
  });

  it.each([
    'a.example',
    'ftp://a.example/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'https://a.example:8443/',
    'http://a.example:22/',
    'https://user:password@a.example/',
    'https://',
    '',
  ])('refuses %s (SSRF-7)', (address) => {
    expect(() => pageAddress(address)).toThrow(/address|pages/i);
  });

  it('resolves the target of a redirect', () => {
    const base = new URL('https://a.example/x/y');
    expect(pageAddress('../z', base).href).toBe('https://a.example/z');
    expect(() => pageAddress('http://b.example:6379/', base)).toThrow('port');
  });
});

describe('isKnownAddress', () => {
  const known = ['https://a.example/path?q=1#part', 'b.example/news/', 'HTTP://C.Example', 'not an address at all'];

  it.each([
    'https://a.example/path?q=1',
    'http://a.example/path?q=1#other',
    'https://b.example/news',
    'https://c.example/',
  ])('accepts %s', (address) => {
    expect(isKnownAddress(new URL(address), known)).toBe(true);
  });

  it.each([
    'https://a.example/path?q=2',
    'https://a.example/path',
    'https://a.example/path?q=1&secret=x',
    'https://secret.a.example/path?q=1',
    'https://b.example/news/secret',
    'https://c.example/?secret',
    'https://c.example.evil.example/',
  ])('refuses %s, which could carry text out (TOOL-1)', (address) => {
    expect(isKnownAddress(new URL(address), known)).toBe(false);
  });
});
