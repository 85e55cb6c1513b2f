import { writtenAddresses } from './known-addresses.js';

it('gives the addresses of texts, each once, with and without the end of a sentence', () => {
  const texts = ['See https://a.example/x. And (HTTP://b.example/y?z=1)!', 'Again https://a.example/x.'];
  expect(writtenAddresses(texts, 100)).toEqual([
    'https://a.example/x.',
    'https://a.example/x',
    'HTTP://b.example/y?z=1)!',
    'HTTP://b.example/y?z=1',
  ]);
});

it('leaves out addresses above the limit of read_page, and stops at the limit of addresses', () => {
  const long = `https://a.example/${'.'.repeat(32_000)}x`;
  expect(writtenAddresses([long, 'https://b.example'], 100)).toEqual(['https://b.example']);
  const many = Array.from({ length: 1_000 }, (_, at) => `https://${at}.example/`).join(' ');
  expect(writtenAddresses([many], 10)).toHaveLength(10);
});

it('reads a long end in linear time', () => {
  // 400 messages of 32,000 characters. Quadratic work would take minutes.
  const text = `https://a.example/${'.'.repeat(1_900)}x `.repeat(16);
  expect(writtenAddresses(Array<string>(400).fill(text), 100)).toHaveLength(1);
});
