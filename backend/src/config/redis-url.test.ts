import { describeRedis, parseRedisUrl } from './redis-url.js';

const access = { username: null, password: null, tls: false };

describe('parseRedisUrl', () => {
  it.each([
    'redis://cache',
    'redis://:p%40ss@cache:6380/2',
    'rediss://cache:6379?family=6',
    'redis://[::1]:6379',
    'redis://?path=/run/redis.sock',
  ])('leaves the URL of one server as it is: %s', (url) => {
    expect(parseRedisUrl(url)).toEqual({ kind: 'server', url });
  });

  it('reads the hosts of a cluster', () => {
    expect(parseRedisUrl('redis://a:7000,b,[::1]:7002?cluster=1')).toEqual({
      kind: 'cluster',
      ...access,
      hosts: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 7002 },
      ],
    });
    expect(parseRedisUrl('rediss://tanya:p%2Css@a:7000/0?cluster=1')).toEqual({
      kind: 'cluster',
      username: 'tanya',
      password: 'p,ss',
      tls: true,
      hosts: [{ host: 'a', port: 7000 }],
    });
  });

  it('reads the hosts and the primary of Sentinels', () => {
    expect(parseRedisUrl('redis://:secret@s1,s2:26380/3?sentinel=main&sentinelPassword=other')).toEqual({
      kind: 'sentinel',
      ...access,
      password: 'secret',
      name: 'main',
      db: 3,
      sentinelUsername: null,
      sentinelPassword: 'other',
      hosts: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 26_380 },
      ],
    });
  });

  it.each([
    ['http://redis', 'must be a URL that begins with redis:// or rediss://'],
    ['redis://a:x', 'must be a URL that begins with redis:// or rediss://'],
    ['redis://', 'lists an invalid host: an empty one'],
    ['redis:///0', 'lists an invalid host: an empty one'],
    ['redis://a:0', 'lists an invalid port: a:0'],
    ['redis://a/cache', 'has no database number after the hosts: cache'],
    ['redis://user:p%zz@a', 'has an invalid percent-encoding in its user name or password'],
    ['redis://a,b', 'lists several hosts: append ?cluster=1 for a cluster or ?sentinel=NAME for Sentinels'],
    ['redis://a:1,b:2?clutser=1', 'lists several hosts: append ?cluster=1'],
    ['redis://a?cluster=1&sentinel=m', 'has both cluster and sentinel'],
    ['redis://a?cluster=yes', 'has an unknown value of cluster'],
    ['redis://a,b/1?cluster=1', 'names a database, and a cluster has database 0 alone'],
    ['redis://a?cluster=1&cluster=1', 'has the parameter cluster twice'],
    ['redis://a?cluster=1&famliy=6', 'has the unknown parameter famliy'],
    ['redis://a?sentinel=', 'needs the name of the primary'],
    ['redis://a/x?sentinel=m', 'has no database number after the hosts: x'],
    ['redis://a:6379,,b?cluster=1', 'lists an invalid host: an empty one'],
    ['redis://?cluster=1', 'lists an invalid host: an empty one'],
    ['redis://a:6379;b:6379?cluster=1', 'lists an invalid port: a:6379;b:6379'],
    ['redis://a b?cluster=1', 'lists an invalid host: a b'],
    ['redis://a:0?cluster=1', 'lists an invalid port: a:0'],
    ['redis://a:70000?cluster=1', 'lists an invalid port: a:70000'],
    ['redis://[::g]:1?cluster=1', 'lists an invalid host: [::g]:1'],
    ['redis://a:1,a:1?cluster=1', 'lists a:1 twice'],
    ['redis://u:%zz@a?cluster=1', 'has an invalid percent-encoding'],
  ])('refuses %s', (url, problem) => {
    expect(() => parseRedisUrl(url)).toThrow(problem);
  });
});

describe('describeRedis', () => {
  it.each([
    ['redis://:secret@a:6379', 'Redis at a:6379'],
    ['redis://:secret@a,[::1]?cluster=1', 'Redis Cluster at a:6379, [::1]:6379'],
    ['redis://:secret@a?sentinel=main', 'Redis main of the Sentinels at a:26379'],
  ])('names the servers of %s without credentials', (url, text) => {
    expect(describeRedis(parseRedisUrl(url))).toBe(text);
  });
});
