import type { IncomingMessage } from 'node:http';
import { isOwnOrigin } from './origin.js';

const request = (host: string | undefined, origin: string | undefined): IncomingMessage =>
  ({ headers: { host, origin } }) as IncomingMessage;

describe('the origin check', () => {
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
  ])('compares with PUBLIC_URL: %s → %s (CS-1, CS-3, WS-1)', (origin, isOwn) => {
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
  ])('compares with a loopback or private Host without PUBLIC_URL: Host %s, Origin %s → %s', (host, origin, isOwn) => {
    expect(isOwnOrigin(request(host, origin), null)).toBe(isOwn);
  });
});
