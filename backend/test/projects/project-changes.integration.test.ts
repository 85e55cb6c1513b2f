import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { addFile, createProject, filesRead, PROJECTS, setMembers } from './project-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { projectQueue: 200 } });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

it('announces each change of a project to the pages of its members alone', async () => {
  const owner = await harness.memberPage();
  const member = await harness.memberPage();
  const stranger = await harness.memberPage();
  const heard: number[] = [];
  member.page.socket.on('project:changed', ({ projectId }) => heard.push(projectId));
  const { client } = owner;
  const { id } = await createProject(client);
  const changes: (() => Promise<unknown>)[] = [
    () => setMembers(client, id, { [member.user.username]: 'viewer' }),
    () => client.patch(`${PROJECTS}/${id}`, { instructions: 'Be brief.' }),
    () => setMembers(client, id, {}),
    () => setMembers(client, id, { [member.user.username]: 'editor' }),
    () => client.delete(`${PROJECTS}/${id}`),
  ];
  for (const [index, change] of changes.entries()) {
    await change();
    await member.page.until(() => heard.length === index + 1);
  }
  expect(heard).toEqual(changes.map(() => id));
  expect(owner.page.received.filter((name) => name === 'project:changed').length).toBe(changes.length + 1);
  expect(stranger.page.received).not.toContain('project:changed');
});

it('announces a new file, the end of its reading and its deletion', async () => {
  const { client, page } = await harness.memberPage();
  const { id } = await createProject(client);
  const count = () => page.received.filter((name) => name === 'project:changed').length;
  await page.until(() => count() === 1);
  const { body: file } = await addFile(client, id, 'The harbour opens at six.', 'hours.txt');
  await page.until(() => count() === 3);
  expect((await filesRead(client, id)).map(({ state }) => state)).toEqual(['ready']);
  await client.delete(`${PROJECTS}/${id}/files/${file.id}`);
  await page.until(() => count() === 4);
});
