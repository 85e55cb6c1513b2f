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

it('has the messages of each assistant of newer versions in a conversation of its own', () => {
  const message = (id: string, content: string, agentId: string) => ({ id, role: 'user', content, agentId });
  const messages = [message('1', 'Q1', 'a'), message('2', 'Q2', 'b'), message('3', 'Q3', 'a')];
  const read = fromLobeChat({ data: { messages, topics: [], agents: [{ id: 'b', title: 'Pilot' }] } })!;
  expect(read.map(({ title, nodes }) => [title, nodes.map(({ text }) => text)])).toEqual([
    ['', ['Q1', 'Q3']],
    ['Pilot', ['Q2']],
  ]);
});

it('has the thoughts of an answer apart, and its artifacts with their titles', () => {
  const artifact =
    '<lobeArtifact identifier="p" type="application/lobe.artifacts.react" title="Port"><b/></lobeArtifact>';
  const content = `Here: <lobeThinking>Hm.</lobeThinking>\n\n${artifact}\n\nDone.`;
  const messages = ['assistant', 'user'].map((role) => ({ id: role, role, content, topicId: 't' }));
  expect(fromLobeChat({ data: { messages, topics: [] } })![0]!.nodes).toMatchObject([
    { text: 'Here: \n\n\n\n**Port**\n\n```jsx\n<b/>\n```\n\n\n\nDone.', reasoning: 'Hm.' },
    { text: content, reasoning: '' },
  ]);
});
