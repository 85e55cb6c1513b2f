import { node } from '../../../../test/imports/recognized-nodes.js';
import { recognize } from '../formats.js';

const fragment = (type: string, content: string) => ({ type, content });
const message = (...fragments: object[]) => ({ files: [], model: 'deepseek-chat', fragments });
const conversation = (mapping: object) => ({ id: 'd-1', title: 'Tides', inserted_at: '2026-01-02T00:00:00Z', mapping });

const question = { parent: 'root', children: ['2', '3'], message: message(fragment('REQUEST', 'Why?')) };
const root = { parent: null, children: ['1'], message: null };
const exported = conversation({
  root,
  1: question,
  2: { parent: '1', children: [], message: message(fragment('RESPONSE', 'The moon.')) },
  3: {
    ...{ parent: '1', children: [] },
    message: message(
      fragment('THINK', 'Hm.'),
      { type: 'SEARCH', results: [] },
      fragment('RESPONSE', 'The moon [citation:1][citation:12].'),
      fragment('TIP', 'Made by AI.'),
      fragment('RESPONSE', 'And the sun.'),
    ),
  },
});

it('is told from one of ChatGPT, alone and in a list of others', () => {
  expect(recognize(exported)).toMatchObject({
    source: 'deepseek',
    conversations: [{ id: 'd-1', title: 'Tides', createdAt: Date.UTC(2026, 0, 2), currentId: '3' }],
  });
  expect(recognize({ mapping: { a: { message: { author: { role: 'user' } } } } })).toMatchObject({ source: 'chatgpt' });
});

it('has questions, answers with their thoughts, and versions', () => {
  expect(node(exported, 'root').role).toBe('none');
  expect(node(exported, '1')).toMatchObject({ role: 'user', text: 'Why?', model: null, childIds: ['2', '3'] });
  expect(node(exported, '2')).toMatchObject({ role: 'assistant', text: 'The moon.', parentId: '1' });
  expect(node(exported, '3')).toMatchObject({
    role: 'assistant',
    text: 'The moon.\n\nAnd the sun.',
    reasoning: 'Hm.',
    model: 'deepseek-chat',
  });
});

it('reads earlier exports, whose messages name no role', () => {
  const old = conversation({
    1: { parent: null, message: { content: 'Why?', inserted_at: '2025-02-01T00:00:00Z' } },
    2: { parent: '1', message: { content: 'The moon.', reasoning_content: 'Hm.', model: 'deepseek-reasoner' } },
    3: { parent: '2', message: { content: 'Really?' } },
  });
  expect(node(old, '1')).toMatchObject({ role: 'user', createdAt: Date.UTC(2025, 1, 1) });
  expect(node(old, '2')).toMatchObject({ role: 'assistant', text: 'The moon.', reasoning: 'Hm.' });
  expect(node(old, '3')).toMatchObject({ role: 'user', text: 'Really?' });
});

it('names the files of a question, with the text of those that have one', () => {
  const files = [{ id: 'f1', file_name: 'a.pdf' }, { file_name: 'b.txt', content: 'ships' }, {}, null];
  const mapping = { 1: { parent: null, message: { files, fragments: [fragment('REQUEST', 'Why?')] } } };
  expect(node(conversation(mapping), '1').files).toEqual([
    { name: 'a.pdf', type: '', source: { assetId: 'f1' } },
    { name: 'b.txt', type: 'text/plain', source: { text: 'ships' } },
  ]);
});
