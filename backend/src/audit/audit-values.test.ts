import { auditValues } from './audit-values.js';

describe('auditValues', () => {
  it('keeps the changed fields alone', () => {
    expect(auditValues({ name: 'a', tags: ['x'] }, { name: 'b', tags: ['x'] })).toEqual({
      before: { name: 'a' },
      after: { name: 'b' },
    });
  });

  it('keeps the differing fields of an object and the differing entries of a list', () => {
    const before = {
      limits: { guest: 3, free: 100 },
      models: ['a', 'b'],
      order: [1, 2],
      ideas: [{ id: 1, t: 'x' }, { id: 2 }],
    };
    const after = {
      limits: { guest: 3, free: 50 },
      models: ['b', 'c'],
      order: [2, 1],
      ideas: [{ id: 1, t: 'y' }, { id: 2 }],
    };
    expect(auditValues(before, after)).toEqual({
      before: { limits: { free: 100 }, models: ['a'], order: [1, 2], ideas: [{ id: 1, t: 'x' }] },
      after: { limits: { free: 50 }, models: ['c'], order: [2, 1], ideas: [{ id: 1, t: 'y' }] },
    });
  });

  it('masks the differing part of a secret', () => {
    const headers = { Authorization: 'Bearer x' };
    expect(auditValues({ headers }, { headers: { ...headers, Cookie: 'y' } })).toEqual({
      before: { headers: '••••••••' },
      after: { headers: '••••••••' },
    });
  });

  it('is null without a change', () => {
    const at = new Date(0);
    expect(auditValues({ name: 'a', at }, { name: 'a', at: new Date(0) })).toBeNull();
  });

  it('records a new and a deleted target whole', () => {
    expect(auditValues(null, { name: 'a' })).toEqual({ before: null, after: { name: 'a' } });
    expect(auditValues({ name: 'a' }, null)).toEqual({ before: { name: 'a' }, after: null });
  });

  it('masks secrets, and shows that they changed', () => {
    const before = { passwordHash: 'argon', openaiApiKeySealed: null, headers: { Authorization: 'Bearer x' } };
    const after = { passwordHash: 'other', openaiApiKeySealed: 'sealed', headers: { Authorization: 'Bearer y' } };
    expect(auditValues(before, after)).toEqual({
      before: { password: '••••••••', openaiApiKey: null, headers: '••••••••' },
      after: { password: '••••••••', openaiApiKey: '••••••••', headers: '••••••••' },
    });
  });

  it('masks nested secrets and the credentials of an address', () => {
    const after = { server: { apiKey: 'sk-1', url: 'https://me:pass@example.com/x' } };
    expect(auditValues(null, after)?.after).toEqual({
      server: { apiKey: '••••••••', url: 'https://••••••••@example.com/x' },
    });
  });

  it('cuts long values to storable text', () => {
    const { text } = auditValues(null, { text: `${'x'.repeat(1_999)}😀` })!.after as { text: string };
    expect([text.length, text.isWellFormed(), text.endsWith('…')]).toEqual([2_001, true, true]);
    expect(auditValues(null, { list: Array(2_000).fill('y') })!.after!.list).toHaveLength(2_001);
  });
});
