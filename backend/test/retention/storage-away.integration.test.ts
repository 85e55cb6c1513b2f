import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataExport, DataExportStarted } from '@tanya/contract';
import { ENV } from '../../src/config/env.js';
import { FileSweep } from '../../src/files/file-sweep.js';
import { filesFolder } from '../../src/files/store/open-file-store.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { PASSWORD } from '../harness/test-app.js';
import { type S3Server, startS3 } from '../harness/servers/s3-server.js';
import { download, upload } from '../harness/uploads.js';
import { eventually } from '../harness/wait-until.js';

let s3: S3Server;
let harness: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  s3 = await startS3();
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  harness = await startChatHarness({
    redis: false,
    env: { filesUrl: `s3://bucket/some/prefix?region=eu-west-1&endpoint=${s3.url}` },
    timings: { threadSweep: 100, retentionLook: 100, orphanFile: 0 },
  });
});

beforeEach(async () => {
  s3.isAway = false;
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await s3.close();
});

/** A chat with a file. @returns its id and the address of the file */
async function chatWithFile(): Promise<{ threadId: number; url: string }> {
  const { body } = await upload(member.client, 'old words', 'a.txt', 'text/plain');
  const content = { text: 'read', attachments: [{ fileId: body.id }] };
  const { threadId, generationId } = await member.page.start('', { content });
  await member.page.ended(generationId);
  return { threadId, url: body.url };
}

const keys = () => [...s3.objects.keys()];

it('leaves nothing on the disk of a node after the copy of a chat', async () => {
  const { threadId } = await chatWithFile();
  const before = keys().length;
  const copy = await member.client.post<{ threadId: number }>(`/api/chat/threads/${threadId}/duplicate`);
  expect(copy.status).toBe(201);
  expect(keys()).toHaveLength(before + 1);
  expect(await readdir(join(filesFolder(harness.app.get(ENV)), '.incoming'))).toEqual([]);
  // Its answers have no generations, which the end of each test looks for.
  await harness.dataSource.query('delete from thread where id = $1', [copy.body.threadId]);
});

it('deletes an old chat while the object storage is away, and its file once it is back', async () => {
  const { threadId, url } = await chatWithFile();
  const id = url.slice('/api/files/'.length);
  await harness.dataSource.query(`update thread set updated_at = now() - interval '40 days' where id = $1`, [threadId]);
  const admin = await harness.admin();
  await admin.put('/api/admin/retention', { free: 30 });
  s3.isAway = true;
  await harness.dataSource.query(`update retention set effective_at = now() - interval '1 minute'`);
  await admin.put('/api/admin/retention', {});
  await harness.dataSource.query('update retention set swept_at = null');
  await eventually(async () => expect((await member.client.get(`/api/chat/threads/${threadId}`)).status).toBe(404));
  await eventually(async () => {
    const [row] = await harness.dataSource.query<[{ isSwept: boolean }]>(
      'select swept_at is not null as "isSwept" from retention',
    );
    expect(row.isSwept).toBe(true);
  });
  expect((await download(member.client, url)).status).toBe(404);
  expect(keys().some((key) => key.endsWith(id))).toBe(true);
  s3.isAway = false;
  await harness.app.get(FileSweep).sweep();
  expect(keys().some((key) => key.endsWith(id))).toBe(false);
  await admin.put('/api/admin/retention', { free: null });
});

it('fails an export while the object storage is away, and writes one once it is back', async () => {
  await chatWithFile();
  const before = keys();
  const start = () => member.client.post<DataExportStarted>('/api/user/export', { password: PASSWORD });
  const stateOf = async (id: string) => (await member.client.get<DataExport>(`/api/user/export/${id}`)).body.state;
  s3.isAway = true;
  for (let count = 0; count < 4; count += 1) {
    const { status, body } = await start();
    expect(status).toBe(202);
    await eventually(async () => expect(await stateOf(body.id)).toBe('failed'));
  }
  expect(keys()).toEqual(before);
  s3.isAway = false;
  const { body } = await start();
  await eventually(async () => expect(await stateOf(body.id)).toBe('done'));
  const { bytes } = await download(member.client, `/api/user/export/${body.id}/file`);
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
});
