import { fromLobeChat } from './lobechat.js';

it('names the files of a message with a hundred thousand, in linear time', () => {
  const messagesFiles = Array.from({ length: 100_000 }, (_, at) => ({ messageId: 'm', fileId: `f${at}` }));
  const messages = [{ id: 'm', role: 'user', content: 'Q', topicId: 't' }];
  const from = performance.now();
  const [conversation] = fromLobeChat({ data: { messages, topics: [], messagesFiles } })!;
  // Copies of the list for each file would take minutes.
  expect(performance.now() - from).toBeLessThan(30_000);
  expect(conversation!.nodes[0]!.files).toHaveLength(100_000);
});
