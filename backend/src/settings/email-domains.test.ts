import { isOfDomains, parseDomain } from './email-domains.js';

it.each([
  ['Example.COM', 'example.com'],
  [' mail.example.co.id ', 'mail.example.co.id'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['example', null],
  ['@example.com', null],
  ['a b.example', null],
  ['example.com/x', null],
  ['example.com?x', null],
  ['example.com#x', null],
  ['example.com:25', null],
  ['example.com\\x', null],
  ['-a.example', null],
  ['x'.repeat(300), null],
  [5, null],
])('reads the domain %j', (text, domain) => {
  expect(parseDomain(text)).toBe(domain);
});

it.each([
  ['ayu@example.com', true],
  ['ayu@EXAMPLE.com', true],
  ["ayu.o'neil+x=y/z@example.com", true],
  ['"a@evil.net"@example.com', false],
  ['"a@evil.net x"@example.com', false],
  ['a%evil.net@example.com', false],
  ['evil.net!a@example.com', false],
  ['=?utf-8?q?a=40evil.net=3e=00?=b@example.com', false],
  ['ayu@bücher.example', true],
  ['ayu@mail.example.com', false],
  ['ayu@example.com.evil.net', false],
  ['ayu@notexample.com', false],
  ['ayu@', false],
])('compares the whole domain of %s', (email, expected) => {
  expect(isOfDomains(email, ['example.com', 'xn--bcher-kva.example'])).toBe(expected);
});
