import { aiMessage, userMessage } from './chat-fixtures';
import { graft, mergeNewestMessages, prependOlder, replaceMessage } from './message-path';

const path = { items: [userMessage(1, null), aiMessage(2, 1), userMessage(3, 2), aiMessage(4, 3)], nextCursor: null };
const ids = ({ items }: { items: { id: number }[] }) => items.map((message) => message.id);

test('a sent message and its answer are appended', () => {
  expect(ids(graft(path, [userMessage(5, 4), aiMessage(6, 5)]))).toEqual([1, 2, 3, 4, 5, 6]);
});

test('an edited message replaces the old one and all messages after it', () => {
  expect(ids(graft(path, [userMessage(5, 2), aiMessage(6, 5)]))).toEqual([1, 2, 5, 6]);
});

test('a regenerated answer keeps its question and replaces the old answer', () => {
  expect(ids(graft(path, [userMessage(1, null), aiMessage(5, 1)]))).toEqual([1, 5]);
});

test('an edited first message replaces the whole path', () => {
  expect(ids(graft(path, [userMessage(5, null), aiMessage(6, 5)]))).toEqual([5, 6]);
});

test('a repeated ack adds nothing and removes nothing', () => {
  const once = graft(path, [userMessage(5, 4), aiMessage(6, 5)]);
  expect(ids(graft(once, [userMessage(5, 4), aiMessage(6, 5)]))).toEqual(ids(once));
  const repeated = graft(once, [userMessage(1, null), aiMessage(2, 1, { content: 'new' })]);
  expect(ids(repeated)).toEqual(ids(once));
  expect(repeated.items[1]?.content).toBe('new');
});

test('a newer state replaces its message and is ignored for a message outside of the path', () => {
  expect(replaceMessage(path, aiMessage(4, 3, { content: 'new' })).items[3]?.content).toBe('new');
  expect(replaceMessage(path, aiMessage(99, 3))).toBe(path);
});

test('older messages are prepended without duplicates', () => {
  const older = { items: [userMessage(-1, null), userMessage(1, null)], nextCursor: 'c' };
  expect(prependOlder(path, older)).toMatchObject({ nextCursor: 'c' });
  expect(ids(prependOlder(path, older))).toEqual([-1, 1, 2, 3, 4]);
});

test('older pages stay if the newly read page continues them', () => {
  const newest = { items: [userMessage(3, 2), aiMessage(4, 3), userMessage(5, 4)], nextCursor: 'page' };
  expect(ids(mergeNewestMessages(path, newest))).toEqual([1, 2, 3, 4, 5]);
  expect(mergeNewestMessages(path, newest).nextCursor).toBeNull();
});

test('a newly read page of another version drops the older pages', () => {
  const newest = { items: [userMessage(30, 20), aiMessage(40, 30)], nextCursor: 'page' };
  expect(mergeNewestMessages(path, newest)).toEqual(newest);
});

test('a read that began before the end of an answer does not set it back to streaming', () => {
  const stale = {
    items: [userMessage(3, 2), aiMessage(4, 3, { status: 'streaming', content: 'so' })],
    nextCursor: null,
  };
  expect(mergeNewestMessages(path, stale).items.at(-1)).toEqual(path.items[3]);
});
