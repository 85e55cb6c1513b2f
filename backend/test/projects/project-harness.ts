import type { CreateProjectRequest, MemberRole, ProjectDetails, ProjectFile, SearchHit } from '@tanya/contract';
import type { Answer, HttpClient } from '../harness/http-client.js';
import type { ScriptedUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';

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

/** Adds a file to a project. */
export function addFile(
  client: HttpClient,
  id: number,
  content: string | Buffer,
  name: string,
  type = 'text/plain',
): Promise<Answer<ProjectFile>> {
  const form = new FormData();
  form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }), name);
  return client.send<ProjectFile>('POST', `${PROJECTS}/${id}/files`, { raw: form });
}

export const filesOf = async (client: HttpClient, id: number): Promise<ProjectFile[]> =>
  (await client.get<ProjectFile[]>(`${PROJECTS}/${id}/files`)).body;

/** Waits until all files of a project have been read. */
export async function filesRead(client: HttpClient, id: number): Promise<ProjectFile[]> {
  await waitUntil('the files of a project', async () =>
    (await filesOf(client, id)).every(({ state }) => state !== 'reading'),
  );
  return filesOf(client, id);
}

export const searchIn = async (client: HttpClient, id: number, query: string): Promise<SearchHit[]> => {
  const answer = await client.get<SearchHit[]>(`${PROJECTS}/${id}/search?q=${encodeURIComponent(query)}`);
  if (answer.status !== 200) throw new Error(`no search: ${answer.text}`);
  return answer.body;
};
