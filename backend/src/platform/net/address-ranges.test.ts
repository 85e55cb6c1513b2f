import { isForbiddenAddress, isLoopbackHost, isPrivateHost, isPublicAddress, rangeOf } from './address-ranges.js';

const PUBLIC = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'];
const LOOPBACK = ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '[::1]'];
const PRIVATE = ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'];
const LINK_LOCAL = ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fe80::1%eth0', 'febf::1'];
const METADATA = [
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:0ec2:0:0::0254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
];
const RESERVED = [
  '0.0.0.0', // unspecified
  '0.1.2.3',
  '::',
  '100.64.0.1', // carrier-grade NAT
  '100.127.255.255',
  '192.0.0.1', // IETF protocol assignments
  '192.0.2.1', // documentation
  '198.51.100.1',
  '203.0.113.1',
  '2001:db8::1',
  '3fff::1',
  '192.88.99.1', // 6to4 relay anycast
  '198.18.0.1', // benchmarking
  '224.0.0.1', // multicast
  'ff02::1',
  '240.0.0.1', // future use
  '255.255.255.255', // broadcast
  '::7f00:1', // IPv4-compatible, deprecated
  '::ffff:0:7f00:1', // SIIT
  '64:ff9b:1::1', // NAT64 of a local prefix
  '2001::1', // Teredo
  '2002:101:101::1', // 6to4 of a public address
  '4000::1', // not assigned
  'fec0::1', // site-local, deprecated
];
const EMBEDDED: [string, string][] = [
  ['::ffff:1.1.1.1', 'public'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::FFFF:10.0.0.1', 'private'],
  ['0:0:0:0:0:ffff:c0a8:101', 'private'],
  ['[::ffff:a9fe:a9fe]', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['::ffff:100.100.100.200', 'metadata'],
  ['::ffff:0.0.0.0', 'reserved'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['64:ff9b::168.63.129.16', 'metadata'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:a00:1::', 'private'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['64:ff9b:1::a9fe:a9fe', 'link-local'],
  ['64:ff9b:1:7::168.63.129.16', 'metadata'],
  ['::ffff:0:a9fe:a9fe', 'link-local'],
];
const TABLE: [string, string][] = [
  ...PUBLIC.map((address): [string, string] => [address, 'public']),
  ...LOOPBACK.map((address): [string, string] => [address, 'loopback']),
  ...PRIVATE.map((address): [string, string] => [address, 'private']),
  ...LINK_LOCAL.map((address): [string, string] => [address, 'link-local']),
  ...METADATA.map((address): [string, string] => [address, 'metadata']),
  ...RESERVED.map((address): [string, string] => [address, 'reserved']),
  ...EMBEDDED,
];

describe('ranges of addresses', () => {
  it.each(TABLE)('SSRF-2, SSRF-4: %s is %s', (address, range) => {
    expect(rangeOf(address)).toBe(range);
    expect(isPublicAddress(address)).toBe(range === 'public');
    expect(isForbiddenAddress(address)).toBe(range === 'link-local' || range === 'metadata');
    expect(isLoopbackHost(address)).toBe(range === 'loopback');
    expect(isPrivateHost(address)).toBe(['loopback', 'private', 'link-local'].includes(range));
  });

  it.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'localhost.', 'example.org', '127.0.0.1.example.org', ''])(
    'SSRF-2: %p is no address literal and counts as neither public nor private',
    (host) => {
      expect(rangeOf(host)).toBeNull();
      expect(isPublicAddress(host)).toBe(false);
      expect(isPrivateHost(host)).toBe(false);
    },
  );

  it.each(['localhost', 'app.localhost'])('%s is a loopback host', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(isPrivateHost(host)).toBe(true);
  });

  it('localhost.example.org is not a loopback host', () => {
    expect(isLoopbackHost('localhost.example.org')).toBe(false);
  });
});
