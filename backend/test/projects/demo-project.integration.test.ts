import type { Message, Project, SendMessageResponse, SourcePart } from '@tanya/contract';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import type { HttpClient } from '../harness/http-client.js';
import { addFile, createProject, filesRead, PROJECTS } from './project-harness.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ timings: { projectQueue: 200 } });
});

afterAll(() => server.close());

/** The answer of the demo, and the sources that it cites. */
async function ask(client: HttpClient, projectId: number, content: string): Promise<[Message, SourcePart[]]> {
  const { body } = await client.post<SendMessageResponse>('/api/chat/message', { content, projectId });
  const newest = async () =>
    (await client.get<Message[]>(`/api/chat/threads/${body.threadId}/messages`)).body.find(
      ({ isUserMessage }) => !isUserMessage,
    );
  await waitUntil('the answer of the demo', async () => (await newest())?.status === 'complete');
  const answer = (await newest())!;
  return [answer, (answer.parts ?? []).filter((part) => part.type === 'source')];
}

it('gives the first admin a project on a start without a provider, whose questions are answered with a citation', async () => {
  const admin = await server.admin();
  const [project] = (await admin.get<Project[]>(PROJECTS)).body;
  expect(project).toMatchObject({ name: 'Demo project', role: 'owner' });
  const files = await filesRead(admin, project!.id);
  expect(files.map(({ name, state }) => [name, state])).toEqual([
    ['Guide to projects.md', 'ready'],
    ['Panduan proyek.md', 'ready'],
  ]);
  for (const [question, name, label] of [
    ['Who can see my chats?', 'Guide to projects.md', 'What a project is'],
    ['Siapa yang menghapus proyek?', 'Panduan proyek.md', 'Anggota dan peran'],
  ] as const) {
    const [answer, sources] = await ask(admin, project!.id, question);
    expect(sources).toMatchObject([{ title: name, label }]);
    expect(answer.content).toContain(`[${sources[0]!.index}]`);
  }
});

it('answers with a citation of an own file, short or long', async () => {
  const { client } = await server.member();
  expect((await client.get<Project[]>(PROJECTS)).body).toEqual([]);
  const { id } = await createProject(client);
  const pages = Array.from(
    { length: 12 },
    (_, page) => `# Part ${page}\n\nThe committee met for the time number ${page}.`,
  );
  await addFile(
    client,
    id,
    `${pages.join('\n\n')}\n\n# Berths\n\nA berth costs five euros a day.`,
    'rules.md',
    'text/markdown',
  );
  await filesRead(client, id);
  expect((await ask(client, id, 'What does a berth cost?'))[1]).toMatchObject([{ title: 'rules.md', label: 'Berths' }]);
  await addFile(client, id, 'The committee approved the minutes of the meeting. '.repeat(20_000), 'minutes.txt');
  await filesRead(client, id);
  const [answer, sources] = await ask(client, id, 'What does a berth cost?');
  expect(sources).toMatchObject([{ title: 'rules.md', label: 'Berths' }]);
  expect(answer.content).toContain('A berth costs five euros a day.');
});
