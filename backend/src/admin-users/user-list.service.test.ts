import { parseUserCursor, writeUserCursor } from './user-list.service.js';

describe('the cursor of a list of accounts', () => {
  it.each(['sari', 'müller', '日本', 'a'.repeat(64)])('by username is the key %s in ASCII', (usernameKey) => {
    const cursor = writeUserCursor('username', { id: 7, usernameKey });
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(parseUserCursor('username', cursor)).toEqual({ usernameKey });
  });

  it('by age is the id, which a list by username takes too', () => {
    for (const sort of ['newest', 'oldest'] as const) {
      expect(writeUserCursor(sort, { id: 7, usernameKey: 'sari' })).toBe('7');
      expect(parseUserCursor(sort, '7')).toEqual({ id: 7 });
    }
    expect(parseUserCursor('username', '7')).toEqual({ id: 7 });
  });

  it.each(['', 'x', '-1', '1234567890', 'key_', 'key_*', 'key_AA', 'key__w', 'key_c2FyaQ=='])('is not %p', (text) => {
    expect(parseUserCursor('username', text)).toBeNull();
  });

  it('of a username is none by age', () => {
    expect(parseUserCursor('newest', writeUserCursor('username', { id: 7, usernameKey: 'sari' }))).toBeNull();
  });
});
