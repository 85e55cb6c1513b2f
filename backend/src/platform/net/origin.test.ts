import type { IncomingMessage } from 'node:http';
import { isOwnOrigin, isPrivateHost } from './origin.js';

const request = (host: string | undefined, origin: string | undefined): IncomingMessage =>
  ({ headers: { host, origin } }) as IncomingMessage;

describe('the own origin', () => {
  const PUBLIC = new URL('https://chat.example.org/');

  it.each([
    ['https://chat.example.org', true],
    [undefined, true],
    ['http://chat.example.org', false],
    ['https://chat.example.org:8443', false],
    ['https://chat.example.org.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
    ['', false],
    ['chat.example.org', false],
  ])('with PUBLIC_URL: %s is %s (CS-1, CS-3, WS-1)', (origin, isOwn) => {
    expect(isOwnOrigin(request('chat.example.org', origin), PUBLIC)).toBe(isOwn);
  });

  it.each([
    ['localhost:3000', 'http://localhost:3000', true],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', true],
    ['192.168.1.5:3000', 'http://192.168.1.5:3000', true],
    ['[::1]:3000', 'http://[::1]:3000', true],
    ['localhost:3000', 'http://localhost:3001', false],
    ['localhost:3000', 'http://127.0.0.1:3000', false],
    ['rebound.example:3000', 'http://rebound.example:3000', false],
    ['203.0.113.9:3000', 'http://203.0.113.9:3000', false],
    [undefined, 'http://localhost:3000', false],
    ['localhost:3000', 'null', false],
  ])('without it: on %s, %s is %s', (host, origin, isOwn) => {
    expect(isOwnOrigin(request(host, origin), null)).toBe(isOwn);
  });
});

describe('a private host', () => {
  it.each([
    'localhost',
    'app.localhost',
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '[::1]',
    'fd12::1',
    'fe80::1',
  ])('is %s', (host) => expect(isPrivateHost(host)).toBe(true));

  it.each([
    'example.org',
    'localhost.example.org',
    '172.32.0.1',
    '8.8.8.8',
    '[2001:db8::1]',
    '',
    '127.0.0.1.example.org',
  ])('is not %s', (host) => expect(isPrivateHost(host)).toBe(false));
});
