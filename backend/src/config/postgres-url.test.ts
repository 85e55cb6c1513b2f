import { describePostgres, postgresUrls } from './postgres-url.js';

describe('postgresUrls', () => {
  it.each(['postgres://u:p@db/tanya', 'postgresql://db:5433/tanya?sslmode=require'])(
    'leaves the URL of one server as it is: %s',
    (url) => {
      expect(postgresUrls(url)).toEqual([url]);
    },
  );

  it('makes one URL for each server', () => {
    expect(postgresUrls('postgres://u:p%2C@a:5433,b,[::1]:5434/tanya?sslmode=require')).toEqual([
      'postgres://u:p%2C@a:5433/tanya?sslmode=require',
      'postgres://u:p%2C@b:5432/tanya?sslmode=require',
      'postgres://u:p%2C@[::1]:5434/tanya?sslmode=require',
    ]);
  });

  it.each(['/', '?', '#', '12/', '12?', 'x,b/'])(
    'names a %s in the password as the cause, without the password',
    (sign) => {
      const refused = expect(() => postgresUrls(`postgres://tanya:${sign}secret@postgres:5432/tanya`));
      refused.toThrow('has a user or password with a /, ? or # in it');
      refused.not.toThrow('secret');
    },
  );

  it('accepts an @ in a parameter', () => {
    expect(postgresUrls('postgres://db/tanya?user=me@server')).toEqual(['postgres://db/tanya?user=me@server']);
  });

  it.each([
    ['mysql://db', 'must be a URL that begins with postgres:// or postgresql://'],
    ['postgres://a:x/tanya', 'must be a URL that begins with postgres:// or postgresql://'],
    ['postgres://a,,b/tanya', 'lists an invalid host: an empty one'],
    ['postgres://a,b:x/tanya', 'lists an invalid port: b:x'],
    ['postgres://a,b;c/tanya', 'lists an invalid host: b;c'],
    ['postgres://a:5432,a/tanya', 'lists a:5432 twice'],
  ])('refuses %s', (url, problem) => {
    expect(() => postgresUrls(url)).toThrow(problem);
  });
});

it('describes the servers without credentials', () => {
  expect(describePostgres('postgres://u:secret@a:5433,b/tanya')).toBe('Postgres at a:5433, b:5432');
});
