import type { ProviderEvent, ProviderMessage, ProviderRequest } from '../provider.js';
import { solveArithmetic } from './arithmetic.js';
import { asksForTime } from './demo-answer.js';

type ToolCallEvent = Extract<ProviderEvent, { type: 'tool-call' }>;

/**
 * The call that the demo makes before its answer: `calculate` for a sum and `current_time` for the date, so that tools can
 * be seen without a model. Null when the tool is not offered, and when its result is there.
 */
export function demoCall({ messages, tools = [] }: ProviderRequest, text: string): ToolCallEvent | null {
  if (messages.at(-1)?.role === 'tool') return null;
  const call = { type: 'tool-call' as const, id: null };
  const offers = (name: string): boolean => tools.some((tool) => tool.name === name);
  const sum = offers('calculate') ? solveArithmetic(text) : null;
  if (sum) return { ...call, name: 'calculate', args: { expression: sum.expression } };
  return offers('current_time') && asksForTime(text) ? { ...call, name: 'current_time', args: {} } : null;
}

/** The results of the calls that the answer is based on. */
export function demoResults(messages: readonly ProviderMessage[]): { tool: string; result: string }[] {
  const at = messages.findLastIndex(({ role }) => role !== 'tool');
  const last = messages[at];
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : [];
  return messages.slice(at + 1).flatMap((message) => {
    const call = message.role === 'tool' ? calls.find(({ id }) => id === message.callId) : undefined;
    return message.role === 'tool' && call !== undefined ? [{ tool: call.name, result: message.content }] : [];
  });
}
