import type { ProviderMessage, ProviderRequest, ProviderTool, ToolCallEvent } from '../provider.js';
import { demoArguments } from './demo-arguments.js';

/** Characters of a question in which a sum or the date is looked for. */
const READ_CHARACTERS = 500;
const SUM = /\b(?:what(?:'s| is)|how much is|calculate|berapa|hitung)\s+([(\d][\d\s.()]*[-+*/^][\d\s.()+*/^-]*[\d)])/i;
const DATE = /\b(?:what (?:day|date|time)|today'?s date|hari apa|tanggal berapa|jam berapa|pukul berapa)\b/i;

/**
 * The call that the demo makes before its answer: `calculate` for a sum, `current_time` for the date, and `search_project`
 * in a project with long files, so that tools can be seen without a model, or the tool that a program requires. Null when
 * the tool is not offered, and when its result is there.
 */
export function demoCall(request: ProviderRequest, text: string): ToolCallEvent | null {
  const { messages, tools = [], toolChoice } = request;
  if (messages.at(-1)?.role === 'tool' || toolChoice === 'none') return null;
  const call = { type: 'tool-call' as const, id: null };
  const required = requiredTool(request);
  if (required !== undefined) return { ...call, name: required.name, args: demoArguments(required.parameters, text) };
  const offers = (name: string): boolean => tools.some((tool) => tool.name === name);
  const question = text.slice(0, READ_CHARACTERS);
  const expression = SUM.exec(question)?.[1];
  if (expression !== undefined && offers('calculate')) return { ...call, name: 'calculate', args: { expression } };
  if (offers('current_time') && DATE.test(question)) return { ...call, name: 'current_time', args: {} };
  return offers('search_project') && /\S/.test(question)
    ? { ...call, name: 'search_project', args: { query: question } }
    : null;
}

function requiredTool({ tools = [], toolChoice }: ProviderRequest): ProviderTool | undefined {
  if (toolChoice === 'required') return tools[0];
  return typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined;
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
