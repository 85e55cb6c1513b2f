import { claimedGroups } from './claimed-groups.js';

it.each([
  [{ groups: ['a', 'b', 7, null] }, 'groups', new Set(['a', 'b'])],
  [{ groups: [] }, 'groups', new Set()],
  [{ groups: 'a' }, 'groups', new Set(['a'])],
  [{ groups: 7 }, 'groups', 'absent'],
  [{ groups: { a: 'b' } }, 'groups', 'absent'],
  [{}, 'groups', 'absent'],
  [{ groups: ['a'] }, null, 'absent'],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', new Set(['a'])],
  [{ 'https://a.example/groups': ['a'] }, 'https://a.example/groups', new Set(['a'])],
  [{ realm_access: null }, 'realm_access.roles', 'absent'],
  [{}, '__proto__.x', 'absent'],
  [{ _claim_names: { groups: 'src1' } }, 'groups', 'overage'],
  [{ _claim_names: { address: 'src1' } }, 'groups', 'absent'],
  [{ hasgroups: true }, 'groups', 'overage'],
  [{ hasgroups: true, groups: [] }, 'groups', new Set()],
])('reads the groups of %j', (token, claim, groups) => {
  expect(claimedGroups(token, claim)).toEqual(groups);
});

it('reads 20,000 groups at most', () => {
  const groups = Array.from({ length: 20_001 }, (_, index) => `group ${index}`);
  expect(claimedGroups({ groups: groups.slice(1) }, 'groups')).toEqual(new Set(groups.slice(1)));
  expect(claimedGroups({ groups }, 'groups')).toBe('overage');
});
