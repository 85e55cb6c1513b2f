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

it('counts the arguments of calls as they are, without delay', () => {
  const json = `{"a":"${'\\"'.repeat(99_000)}"}`;
  const toolCalls = Array.from({ length: 160 }, (_, at) => ({ id: `c${at}`, name: 'f', args: {}, json }));
  const began = process.cpuUsage();
  const tokens = messageTokens({ role: 'assistant', content: '', toolCalls });
  // It takes 5 ms; JSON of the arguments would take 200.
  expect(process.cpuUsage(began).user).toBeLessThan(100_000);
  expect(tokens / (160 * estimateTokens(json))).toBeCloseTo(1, 2);
});
