import { estimateTokens, messageTokens } from './token-estimate.js';

it('counts one token for three characters, and one for each character of Chinese or Japanese', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('abcdef')).toBe(2);
  expect(estimateTokens('漢字かな')).toBe(4);
});

it('counts the reasoning of an answer once, as text or as its details', () => {
  const answer = { role: 'assistant', content: '' } as const;
  const reasoningDetails = [{ type: 'reasoning.encrypted', data: 'x'.repeat(3_000) }];
  const empty = messageTokens(answer);
  expect(messageTokens({ ...answer, reasoningDetails: [] })).toBe(empty);
  expect(messageTokens({ ...answer, reasoningDetails })).toBeGreaterThan(empty + 1_000);
  const both = { ...answer, reasoningContent: 'x'.repeat(30), reasoningDetails };
  expect(messageTokens(both)).toBe(empty + 10);
});

it('counts the arguments of calls as they are, not as JSON of JSON', () => {
  const json = `{"a":"${'\\"'.repeat(50_000)}"}`;
  const toolCalls = [{ id: 'c', name: 'f', args: {}, json }];
  expect(messageTokens({ role: 'assistant', content: '', toolCalls }) / estimateTokens(json)).toBeCloseTo(1, 2);
});

it('counts the texts of details of reasoning as they are', () => {
  const text = '\n"'.repeat(50_000);
  const reasoningDetails = [{ type: 'reasoning.summary', summary: [{ text, index: 0 }, null] }];
  expect(messageTokens({ role: 'assistant', content: '', reasoningDetails }) / estimateTokens(text)).toBeCloseTo(1, 2);
});
