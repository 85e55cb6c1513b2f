import type { ChatCompletionMessage, FunctionCall, ResponseCallItem, ResponseItem } from '@tanya/contract';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { parseWithin } from '../../platform/json/json-scan.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { HISTORY_JSON } from '../answers/call-arguments.js';
import { TOOL_SEARCH, type ToolNames, upstreamName } from './response-tools.js';

export const isCall = (item: ResponseItem): item is ResponseCallItem =>
  item.type !== 'message' && item.type !== 'compaction';

/**
 * The messages with each result behind its call, as chat completions demand it. In Responses others may stand between them, such
 * as what a user or a program says while a tool runs.
 */
export function withResultsAtCalls(messages: readonly ChatCompletionMessage[]): ChatCompletionMessage[] {
  const callers = new Map<string, ChatCompletionMessage>();
  const results = new Map<ChatCompletionMessage, ChatCompletionMessage[]>();
  const others = messages.filter((message) => {
    for (const { id } of message.tool_calls ?? []) callers.set(id, message);
    const { role, tool_call_id: id = '' } = message;
    const caller = role === 'tool' ? callers.get(id) : undefined;
    if (caller === undefined) return true;
    callers.delete(id);
    results.set(caller, [...(results.get(caller) ?? []), message]);
    return false;
  });
  return others.flatMap((message) => [message, ...(results.get(message) ?? [])]);
}

const PREFIXES = { function: 'fc', custom: 'ctc', tool_search: 'tsc' } as const;

/** The item of a call that begins. @param hex UUID of the response, without hyphens @param name at the provider */
export function begunCall(
  hex: string,
  index: number,
  { id: call_id, name: called }: { id: string; name: string },
  names: ToolNames,
): ResponseCallItem {
  const { kind, name, namespace, isEncrypted } = names.clientNameOf(called);
  const fields = { id: `${PREFIXES[kind]}_${hex}${index}`, status: 'in_progress' as const, call_id };
  const named = { name, ...presentFields({ namespace }) };
  if (kind === 'custom') return { ...fields, type: 'custom_tool_call', ...named, input: '' };
  if (kind === 'tool_search') return { ...fields, type: 'tool_search_call', execution: 'client', arguments: {} };
  const plain = isEncrypted === true && { encrypted_function_args: [] };
  return { ...fields, type: 'function_call', ...named, arguments: '', ...plain };
}

/** Gives a call its arguments. @param json as the model wrote it */
export function setArguments(item: ResponseCallItem, json: string): void {
  if (item.type === 'custom_tool_call') item.input = inputOf(json);
  else if (item.type === 'tool_search_call') item.arguments = fieldsOf(json) ?? {};
  else item.arguments = json;
}

/** The text for a custom tool. Models also write it under another name, or without the JSON around it. */
function inputOf(json: string): string {
  const fields = fieldsOf(json);
  if (fields === null) return json;
  if (typeof fields['input'] === 'string') return fields['input'];
  const [only, ...others] = Object.values(fields);
  return typeof only === 'string' && others.length === 0 ? only : json;
}

function fieldsOf(json: string): Record<string, unknown> | null {
  try {
    const parsed = parseWithin(json, HISTORY_JSON);
    return isFields(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** The call in the history of the next request. */
export function toFunctionCall(item: ResponseCallItem): FunctionCall {
  const name = item.type === 'tool_search_call' ? TOOL_SEARCH : upstreamName(item);
  return { id: item.call_id, type: 'function', function: { name, arguments: argumentsOf(item) } };
}

function argumentsOf(item: ResponseCallItem): string {
  if (item.type === 'custom_tool_call') return customArguments(item.input);
  if (item.type === 'tool_search_call') return JSON.stringify(item.arguments);
  return item.arguments;
}

/** The arguments with which a function stands for a custom tool. */
export const customArguments = (input: string): string => JSON.stringify({ input });

/** Characters of what a call has in a conversation. */
export function callLength(item: ResponseCallItem): number {
  if (item.type === 'custom_tool_call') return item.input.length;
  return typeof item.arguments === 'string' ? item.arguments.length : JSON.stringify(item.arguments).length;
}

/** Tools of OpenAI that the client runs, each with the field of its calls that says what to do. */
const CLIENT_TOOLS: Readonly<Record<string, string>> = {
  local_shell: 'action',
  shell: 'action',
  apply_patch: 'operation',
  computer: 'action',
};

const CLIENT_CALL = /^(local_shell|shell|apply_patch|computer)_call(_output)?$/;

/**
 * A call of such a tool, or its result, as that of a function of its name: a conversation that began at OpenAI goes on here.
 * @returns null for any other item
 */
export function asFunctionItem(item: Fields): Fields | null {
  const [, tool, isOutput] = (typeof item['type'] === 'string' ? CLIENT_CALL.exec(item['type']) : null) ?? [];
  if (tool === undefined) return null;
  // The result of a local shell names its call by `id`.
  const call_id = item['call_id'] ?? item['id'];
  if (isOutput !== undefined) return { type: 'function_call_output', call_id, output: outputOf(item) };
  const action = item[CLIENT_TOOLS[tool]!] ?? item['actions'];
  const given = isFields(action) ? action : { actions: action ?? [] };
  return { type: 'function_call', call_id, name: tool, arguments: given };
}

function outputOf({ output, status }: Fields): unknown {
  if (isFields(output)) {
    const { image_url: url } = output;
    return typeof url === 'string' ? [{ type: 'input_image', image_url: url }] : stateOf(status);
  }
  if (!Array.isArray(output)) return output ?? stateOf(status);
  return output
    .flatMap((run: unknown) => (isFields(run) ? [run['stdout'], run['stderr']] : []))
    .filter(isText)
    .join('\n');
}

const stateOf = (status: unknown): string => (typeof status === 'string' ? status : 'completed');

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
