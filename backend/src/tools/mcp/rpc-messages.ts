import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { repairedJson } from '../../platform/json/repaired-json.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { isLostBody, isLostError } from './server-failure.js';

/** A request of the client, whose answer is read. */
export interface AskedRequest {
  id: number;
  method: string;
  /** Whether others are answered in the same stream: its answer then needs its id. */
  isAmongOthers?: boolean;
}

/** A message as the client takes it. */
export type RpcMessage = { jsonrpc: '2.0'; id: string | number } & (
  | { method: string }
  | { error: { code: number; message: string } }
  | { result: Fields }
);

/** Characters of JSON that is no JSON, which are repaired: 40 ms for the worst of them. */
const REPAIRED = 200_000;

/** Messages that are read of one batch, or lines: one answers the request, and a few notifications may stand beside it. */
const MOST_MESSAGES = 1_000;

const BYTE_ORDER_MARK = /^\uFEFF/;

export interface ParsedJson {
  /** One value, or one for each line. */
  values: unknown[];
  /** Whether the JSON is one value as it stands. */
  isExact: boolean;
}

/** Parses the JSON of a server. @throws SyntaxError */
export function parseJson(json: string): ParsedJson {
  const text = json.replace(BYTE_ORDER_MARK, '');
  try {
    return { values: [JSON.parse(text)], isExact: true };
  } catch (error) {
    const repaired = text.length > REPAIRED ? text : repairedJson(text);
    const values = valueIn(repaired) ?? valuesOfLines(repaired);
    if (values === null) throw error;
    return { values, isExact: false };
  }
}

/** The values of lines, of which each has one; null for other lines, or more than a server sends for one request. */
function valuesOfLines(text: string): unknown[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MOST_MESSAGES) return null;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = valueIn(line);
    if (value === null) return null;
    values.push(...value);
  }
  return values;
}

/** The value in a list; null for a text that is no JSON. */
function valueIn(text: string): [unknown] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    return null;
  }
}

/**
 * The messages in values of a server as the client takes them: it refuses a message for one odd field, and a batch for one
 * odd message. Notifications and the details of requests are left out, which nothing here reads.
 * @param asked the request that a message may answer
 */
export const readMessages = (values: readonly unknown[], asked: AskedRequest): RpcMessage[] =>
  values
    .flat(1)
    .slice(0, MOST_MESSAGES)
    .flatMap((value) => readMessage(value, asked));

function readMessage(value: unknown, asked: AskedRequest): RpcMessage[] {
  if (!isFields(value)) return [];
  const { id, method, error, result } = value;
  if (typeof method === 'string') return isId(id) ? [{ jsonrpc: '2.0', id, method }] : [];
  // An answer without an id can only be for the one request that was asked.
  if (isGiven(id) ? !isSameId(id, asked.id) : asked.isAmongOthers) return [];
  const answer = { jsonrpc: '2.0', id: asked.id } as const;
  if (isGiven(error) && !isGiven(result)) return [{ ...answer, error: errorOf(error, asked.method) }];
  return result === undefined ? [] : [{ ...answer, result: resultOf(result, asked.method) }];
}

export const isAnswer = (message: RpcMessage): boolean => !('method' in message);

/** Whether the JSON is one message as the client takes it, so that it can be passed on. */
export function isAsTaken({ values: [value], isExact }: ParsedJson, asked: AskedRequest): boolean {
  if (!isExact || asked.method === 'initialize' || !isFields(value) || Object.keys(value).length !== 3) return false;
  const { jsonrpc, id, result } = value;
  return jsonrpc === '2.0' && id === asked.id && isFields(result) && !('_meta' in result);
}

/** Whether a server says without an id that a request has failed. */
const isErrorWithoutId = (value: unknown): value is Fields =>
  isFields(value) && isGiven(value['error']) && !isGiven(value['id']);

/** Whether a server answers a call by saying that it does not have the session. */
export const tellOfLostSession = (values: readonly unknown[], { method }: AskedRequest): boolean =>
  method === 'tools/call' && values.some((value) => isErrorWithoutId(value) && isLostBody(JSON.stringify(value)));

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
/** Some servers answer with the id as a text. */
export const isSameId = (id: unknown, asked: string | number): boolean =>
  (typeof id === 'string' || typeof id === 'number') && String(id) === String(asked);
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const INTERNAL_ERROR = -32603;

/** Methods whose errors have in their data what is needed: the versions of the server, what is wrong with the arguments. */
const WITH_DATA: readonly string[] = ['initialize', 'tools/call'];
const MAX_DATA = 1_000;

function errorOf(error: unknown, method: string): { code: number; message: string } {
  const { code: given, message = error, data } = isFields(error) ? error : { code: INTERNAL_ERROR, message: error };
  const number = isGiven(given) ? Number(given) : NaN;
  const code = Number.isSafeInteger(number) ? number : INTERNAL_ERROR;
  const text = textOf(message);
  const isToldAll = !isGiven(data) || !WITH_DATA.includes(method) || isLostError({ code, message: text });
  const more = isToldAll ? '' : textOf(data).slice(0, MAX_DATA);
  return { code, message: text.includes(more) ? text : `${text} ${more}` };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The field that a result consists of, where a server sends its value alone. */
const ONLY_FIELD: Record<string, string> = { 'tools/call': 'content', 'tools/list': 'tools' };

function resultOf(result: unknown, method: string): Fields {
  if (method === 'initialize') return initialized(isFields(result) ? result : {});
  if (isFields(result)) {
    // The client refuses one that is no object.
    const { _meta: _, ...rest } = result;
    return rest;
  }
  return { [ONLY_FIELD[method] ?? 'value']: result };
}

/**
 * What is read of the beginning of a session. A version that the client does not know is that of the request: servers name
 * their own one, or one to come, and list and run tools all the same.
 */
function initialized({ protocolVersion, capabilities }: Fields): Fields {
  const known = SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === protocolVersion);
  return {
    protocolVersion: known ?? SUPPORTED_PROTOCOL_VERSIONS[0],
    capabilities: isFields(capabilities) && isGiven(capabilities['tools']) ? { tools: {} } : {},
    serverInfo: { name: 'server', version: '' },
  };
}
