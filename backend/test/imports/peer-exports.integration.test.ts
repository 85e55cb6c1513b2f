import { type Message, parseContent, type Thread } from '@tanya/contract';
import { download } from '../harness/uploads.js';
import { importFile, importJson, messagesOf, reportOf, threadsOf, zipOf } from './imports-harness.js';
import { member } from './imports-server.js';
import { CLAUDE_ARCHIVE, GROK_ARCHIVE, KINDS, REFUSED } from './peer-exports.js';

/** A message as `role: text [names of its files]`. */
function shown({ isUserMessage, content }: Message): string {
  const { text, attachments = [] } = parseContent(content);
  const names = attachments.map(({ name }) => name).join(', ');
  return `${isUserMessage ? 'user' : 'ai'}: ${text}${names && ` [${names}]`}`;
}

it.each(KINDS)('brings %s', async (_name, exported, { source, messages, missing = 0 }) => {
  const client = await member();
  const status = await importJson(client, exported);
  expect(status).toMatchObject({ state: 'done', source, total: 1, imported: 1, failures: [] });
  const [thread] = (await threadsOf(client)) as [Thread];
  expect((await messagesOf(client, thread.id)).map(shown)).toEqual(messages);
  const [row] = await reportOf(client, status.id);
  expect(row?.remark).toEqual(missing === 0 ? null : { code: 'files_left_out', params: { count: missing } });
  expect(row?.title).not.toBe('');
});

it.each(REFUSED)('refuses %s', async (_name, content, code) => {
  expect(await importFile(await member(), content)).toMatchObject({ state: 'failed', errorRemark: { code } });
});

it('keeps the thoughts of each program', async () => {
  const client = await member();
  for (const name of ['Claude with thoughts', 'LobeChat, with', 'TypingMind, with', 'DeepSeek, with', 'Grok, with']) {
    await importJson(client, KINDS.find(([kind]) => kind.startsWith(name))![1]);
    const [thread] = (await threadsOf(client)).toSorted((a, b) => b.id - a.id) as [Thread];
    const [, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
    expect([name, answer.reasoning]).toEqual([name, 'Hm.']);
  }
});

it('keeps the versions of a conversation of Claude', async () => {
  const client = await member();
  await importJson(client, KINDS.find(([name]) => name === 'Claude with branches')![1]);
  const [thread] = (await threadsOf(client)) as [Thread];
  const [question] = (await messagesOf(client, thread.id)) as [Message];
  expect(question.siblingIds).toHaveLength(2);
});

it('brings the archive of Claude and names an empty conversation', async () => {
  const client = await member();
  const status = await importFile(client, await zipOf(CLAUDE_ARCHIVE));
  expect(status).toMatchObject({ state: 'done', source: 'claude', total: 2, imported: 1 });
  expect(status.failures).toEqual([{ title: 'Empty', reason: 'The conversation has no messages.' }]);
});

it('brings the archive of Grok with its files', async () => {
  const client = await member();
  const status = await importFile(client, await zipOf(GROK_ARCHIVE));
  expect(status).toMatchObject({ state: 'done', source: 'grok', total: 1, imported: 1, failures: [] });
  const [thread] = (await threadsOf(client)) as [Thread];
  const [question] = (await messagesOf(client, thread.id)) as [Message];
  const file = await download(client, parseContent(question.content).imageData!);
  expect(file.headers.get('content-type')).toBe('image/png');
  expect((await reportOf(client, status.id))[0]?.remark).toBeNull();
});

it('brings a conversation of 8,000 messages', async () => {
  const client = await member();
  const mapping = Object.fromEntries(
    Array.from({ length: 8_000 }, (_, at) => [
      `n${at}`,
      {
        id: `n${at}`,
        parent: at === 0 ? null : `n${at - 1}`,
        children: [`n${at + 1}`],
        message: {
          author: { role: at % 2 === 0 ? 'user' : 'assistant' },
          content: { content_type: 'text', parts: [`message ${at}`] },
        },
      },
    ]),
  );
  const status = await importJson(client, [{ title: 'Long', conversation_id: 'long', mapping, current_node: 'n7999' }]);
  expect(status).toMatchObject({ state: 'done', imported: 1, failures: [] });
  const [thread] = (await threadsOf(client)) as [Thread];
  const last = await messagesOf(client, thread.id);
  expect(parseContent(last.at(-1)!.content).text).toBe('message 7999');
});
