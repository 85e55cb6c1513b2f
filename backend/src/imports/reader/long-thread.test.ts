import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@tanya/contract';
import { treeOf } from './long-thread.js';
import { AccountConversations } from './tanya.js';

let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'nodes-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const message = (id: number, parentId: number | null, more: object = {}) => ({
  ...{ id, threadId: 7, parentId, isUserMessage: id % 2 === 1, content: `text ${id}` },
  ...{ createdAt: new Date(1_700_000_000_000 + id).toISOString(), ...more },
});

/** The conversation of an account's export with these messages. */
function conversationOf(messages: Iterable<object>, path: string | null = join(folder, 'nodes')) {
  const account = new AccountConversations(path);
  account.add({ id: 7, title: 'Long', activeLeafId: 4, isPinned: true });
  for (const part of messages) account.add(part);
  return account.end()!;
}

function* pathOf(count: number): Generator<object> {
  for (let id = 1; id <= count; id += 1) yield message(id, id === 1 ? null : id - 1);
}

const COUNT = 25_000;

describe('a thread that is too long for memory', () => {
  it('has all messages in their order, as often as they are read', () => {
    const conversation = conversationOf(pathOf(COUNT));
    expect(conversation).toMatchObject({ title: 'Long', isPinned: true, nodes: [] });
    const { messages, activeLeaf } = treeOf(conversation)!;
    for (let round = 0; round < 2; round += 1) {
      let at = 0;
      for (const { parent, isUserMessage, text } of messages) {
        const expected = [at === 0 ? null : at - 1, at % 2 === 0, `text ${at + 1}`];
        if (parent !== expected[0] || isUserMessage !== expected[1] || text !== expected[2])
          expect([parent, isUserMessage, text]).toEqual(expected);
        at += 1;
      }
      expect(at).toBe(COUNT);
    }
    expect(activeLeaf).toBe(COUNT - 1);
    conversation.stored!.close();
  });

  it('is found by its characters too', () => {
    const content = 'é'.repeat(LIMITS.answerCharacters);
    const conversation = conversationOf(
      (function* () {
        for (let id = 1; id <= 150; id += 1) yield message(id, id === 1 ? null : id - 1, { content });
      })(),
    );
    expect(conversation.nodes).toEqual([]);
    const texts = [...treeOf(conversation)!.messages].map(({ text }) => text === content);
    expect(texts).toEqual(Array(150).fill(true));
    conversation.stored!.close();
  });

  it('keeps versions, the shown end and places of missing answers', () => {
    const conversation = conversationOf(
      (function* () {
        yield* pathOf(COUNT);
        yield message(COUNT + 2, 1, { content: 'another answer' });
        yield message(COUNT + 3, 1, { content: 'a question below a question' });
        yield message(COUNT + 5, 2, { content: 'a question without an answer' });
      })(),
    );
    conversation.currentId = String(COUNT + 5);
    const { messages, activeLeaf } = treeOf(conversation)!;
    const last = [...messages]
      .slice(COUNT)
      .map(({ parent, isUserMessage, text, isMissing }) => [parent, isUserMessage, isMissing ? '?' : text]);
    expect(last).toEqual([
      [0, false, 'another answer'],
      [0, false, '?'],
      [COUNT + 1, true, 'a question below a question'],
      [1, true, 'a question without an answer'],
      [COUNT + 2, false, '?'],
      [COUNT + 3, false, '?'],
    ]);
    expect(activeLeaf).toBe(COUNT + 5);
    conversation.stored!.close();
  });

  it.each([
    ['whose parent comes later', message(COUNT + 2, COUNT + 9)],
    ['of two answers in a row', message(COUNT + 2, 2)],
    ['with an id that occurred', message(2, 1)],
  ])('is refused with a message %s', (_name, added) => {
    const conversation = conversationOf([...pathOf(COUNT), added]);
    expect(treeOf(conversation)).toBeNull();
    conversation.stored!.close();
  });

  it('is refused where it cannot be stored, and above the bound', () => {
    expect(treeOf(conversationOf(pathOf(COUNT), null))).toBeNull();
    const conversation = conversationOf(pathOf(200_010));
    expect(treeOf(conversation)).toBeNull();
    conversation.stored!.close();
  });

  it('leaves the next thread alone', () => {
    const account = new AccountConversations(join(folder, 'nodes'));
    for (const part of pathOf(COUNT)) account.add(part);
    const long = account.add(message(1, null, { threadId: 8, content: 'short' }))!;
    expect([...treeOf(long)!.messages]).toHaveLength(COUNT);
    long.stored!.close();
    const short = account.end()!;
    expect(short.stored).toBeUndefined();
    expect(treeOf(short)!.messages).toMatchObject([{ text: 'short' }, { isMissing: true }]);
  });
});
