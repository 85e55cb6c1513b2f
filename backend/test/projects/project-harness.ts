import type { CreateProjectRequest, MemberRole, ProjectDetails } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import type { ScriptedUpstream } from '../harness/scripted-upstream.js';

export const PROJECTS = '/api/projects';

let count = 0;

export async function createProject(
  client: HttpClient,
  fields: Partial<CreateProjectRequest> = {},
): Promise<ProjectDetails> {
  const answer = await client.post<ProjectDetails>(PROJECTS, { name: `Project ${(count += 1)}`, ...fields });
  if (answer.status !== 201) throw new Error(`no project: ${answer.text}`);
  return answer.body;
}

/** Gives the project these members alone. */
export async function setMembers(client: HttpClient, id: number, roles: Record<string, MemberRole>): Promise<void> {
  const members = Object.entries(roles).map(([username, role]) => ({ username, role }));
  const answer = await client.put(`${PROJECTS}/${id}/members`, { members });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

interface SentMessage {
  role: string;
  content: string | { type: string; text?: string }[];
}

/** The messages that the provider received last. */
export const lastMessages = (upstream: ScriptedUpstream): SentMessage[] =>
  (upstream.callsOf().at(-1)!.body as { messages: SentMessage[] }).messages;

/** The system message that the provider received last. */
export const lastSystem = (upstream: ScriptedUpstream): string => {
  const content = lastMessages(upstream).find(({ role }) => role === 'system')?.content ?? '';
  return typeof content === 'string' ? content : '';
};
