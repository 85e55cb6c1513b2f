import type { IncomingMessage } from 'node:http';
import { jest } from '@jest/globals';
import { createAddressReader, limitAddress, siteOf } from './client-address.js';

const from = (peer: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: peer },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  it('is the peer address if no proxy is trusted; forwarded headers are ignored (AU-5, LIM-5)', () => {
    const read = createAddressReader(null);
    expect(read(from('203.0.113.9', '1.2.3.4'))).toBe('203.0.113.9');
    expect(read(from('10.0.0.1', '1.2.3.4'))).toBe('10.0.0.1');
  });

  it('is the entry of the forwarded header before the configured number of proxies', () => {
    expect(createAddressReader(1)(from('10.0.0.1', 'spoofed, 198.51.100.7'))).toBe('198.51.100.7');
    expect(createAddressReader(2)(from('10.0.0.1', 'spoofed, 198.51.100.7, 10.0.0.2'))).toBe('198.51.100.7');
    expect(createAddressReader(1)(from('10.0.0.1'))).toBe('10.0.0.1');
  });

  it('is the first address outside of the trusted networks', () => {
    const read = createAddressReader(['10.0.0.0/8']);
    expect(read(from('10.0.0.1', '6.6.6.6, 198.51.100.7, 10.3.3.3'))).toBe('198.51.100.7');
    expect(read(from('203.0.113.9', '198.51.100.7'))).toBe('203.0.113.9');
  });

  it.each([null, 1, ['10.0.0.0/8']])('is unknown on a socket that was reset; TRUST_PROXY is %p', (trust) => {
    expect(createAddressReader(trust)(from(undefined))).toBe('unknown');
  });

  it.each([
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['198.51.100.7:4711, 10.3.3.3:443', '198.51.100.7'],
  ])('is %s without its port', (forwarded, address) => {
    expect(createAddressReader(['10.0.0.0/8'])(from('10.0.0.1', forwarded))).toBe(address);
  });

  it('is unknown behind a proxy that forwards no address, which is reported once', () => {
    const onUnreadable = jest.fn();
    const read = createAddressReader(1, onUnreadable);
    expect(read(from(undefined))).toBe('unknown');
    expect(onUnreadable).not.toHaveBeenCalled();
    for (let request = 0; request < 3; request++) expect(read(from('10.0.0.1', '_hidden'))).toBe('unknown');
    expect(onUnreadable).toHaveBeenCalledTimes(1);
  });
});

describe('the key of rate limits', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('of %s is %s', (address, counted) => {
    expect(limitAddress(address)).toBe(counted);
  });
});

describe('the site of an address', () => {
  it.each([
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
    ['2001:db8:2:2::/64', '2001:db8:2::/48'],
    ['0:0:0:0::/64', '0:0:0::/48'],
    ['192.0.2.1', null],
    ['unknown', null],
  ])('%s is %s', (address, site) => {
    expect(siteOf(address)).toBe(site);
  });
});
