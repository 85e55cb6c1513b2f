import { LIMITS } from '@tanya/contract';
import { accountOf, addressOf, shownName, withSuffix } from './new-account.js';

describe('accountOf', () => {
  it.each([
    [{ preferred_username: 'sari' }, 'sari'],
    [{ preferred_username: 'sari@corp.example', email: 'x@example.org' }, 'sari'],
    [{ preferred_username: ' \u200bSari\u202e ' }, 'Sari'],
    [{ email: 'budi@example.org' }, 'budi'],
    [{ name: 'Sari Dewi' }, 'Sari Dewi'],
    [{ preferred_username: '@', email: '@example.org', name: '＠' }, 'user'],
    [{ preferred_username: 'a﹫b', name: 'Sari' }, 'Sari'],
    [{ preferred_username: 7, email: null, name: ['a'] }, 'user'],
    [{}, 'user'],
  ])('finds a username in %j', (claims, username) => {
    expect(accountOf(claims).username).toBe(username);
  });

  it('keeps names and addresses that are valid, without what cannot be seen', () => {
    expect(accountOf({ name: '\u202eSari Dewi\0', email: 'sari@example.org' })).toMatchObject({
      fullName: 'Sari Dewi',
      email: 'sari@example.org',
    });
    expect(accountOf({ name: 'x', email: '@' })).toEqual({ username: 'x' });
    expect(shownName({ email: '', name: 'Sari' })).toBe('Sari');
    expect(shownName({})).toBeNull();
  });

  it.each([
    [undefined, true],
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['', false],
    [0, false],
  ])('takes an address of which the provider says %j: %j', (email_verified, isTaken) => {
    expect(addressOf({ email: 'sari@example.org', email_verified }) !== null).toBe(isTaken);
  });

  it('cuts long names, also with a suffix', () => {
    const { username } = accountOf({ preferred_username: 'x'.repeat(10_000) });
    expect(username).toHaveLength(LIMITS.username.max);
    expect(withSuffix(username, '12')).toMatch(/^x+-12$/);
    expect(withSuffix(username, '12')).toHaveLength(LIMITS.username.max);
  });
});
