import type { CreateGroupRequest, Group } from '@tanya/contract';
import type { TestApp } from '../harness/test-app.js';

let count = 0;

/** Creates a group with these members. */
export async function createGroup(
  server: TestApp,
  fields: Partial<CreateGroupRequest> = {},
  userIds: number[] = [],
): Promise<Group> {
  const admin = await server.admin();
  const answer = await admin.post<Group>('/api/admin/groups', { name: `Group ${(count += 1)}`, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  if (userIds.length > 0) await addMembers(server, answer.body.id, userIds);
  return answer.body;
}

export async function addMembers(server: TestApp, id: number, userIds: number[]): Promise<void> {
  const answer = await (await server.admin()).post(`/api/admin/groups/${id}/members`, { add: userIds });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

export async function removeMembers(server: TestApp, id: number, userIds: number[]): Promise<void> {
  const answer = await (await server.admin()).post(`/api/admin/groups/${id}/members`, { remove: userIds });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}
