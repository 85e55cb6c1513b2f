import type { ConnectionFault } from '@tanya/contract';
import { ProtocolError, SdkError, SdkHttpError } from '@modelcontextprotocol/client';
import { type Fields, fieldsOf, isFields } from '../../platform/json/fields.js';
import { JsonTooLarge } from '../../platform/json/json-scan.js';
import { connectionFaultOf } from '../../platform/net/connection-fault.js';
import { RefusedAddressError } from '../../platform/net/ssrf-guard.js';
import { OutboundFailure, outboundFailure } from '../outbound/outbound-failure.js';

const SENTENCES: Partial<Record<ConnectionFault, string>> = {
  unauthorized: 'The tool server refused the request.',
  rate_limited: 'The tool server answered that there are too many requests (status 429).',
  not_found: 'The tool server answered with status 404.',
  redirect: 'The tool server answered with a redirect, which is not followed.',
  html: 'The address of the tool server answered with a web page.',
  invalid_answer: 'The tool server sent an answer that cannot be read.',
  too_large: 'The tool server sent an answer that is too large.',
  timeout: 'The tool server did not answer in time.',
  dns: 'The host name of the tool server cannot be resolved.',
  refused: 'The host of the tool server refused the connection.',
  tls: 'A secure connection to the tool server could not be established.',
  unreachable: 'The connection to the tool server was lost.',
  address_forbidden: 'The address of the tool server is not allowed.',
  not_configured: 'The stored headers of the tool server cannot be read.',
};

const ADVICE: Partial<Record<ConnectionFault, string>> = {
  unauthorized: 'Please check the headers.',
  not_found: 'Please check the address.',
  redirect: 'Please enter the final address.',
  html: 'Please enter the address of its MCP endpoint.',
  refused: 'Please check the host and port of the address.',
  tls: 'Please check the certificate and the scheme of the address.',
  not_configured: 'APP_SECRET has changed. Please enter the headers again.',
};

/** A failed exchange with an MCP server. `message` is for readers and models; it holds no header and no text of the server. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  /** The versions of the protocol that a server names when it refuses to begin a session. */
  versions: readonly string[] = [];

  constructor(
    readonly fault: ConnectionFault,
    readonly status?: number,
  ) {
    super(SENTENCES[fault] ?? `The tool server answered with status ${status ?? 'unknown'}.`);
  }

  get forAdmins(): string {
    const advice = ADVICE[this.fault];
    return advice === undefined ? this.message : `${this.message} ${advice}`;
  }
}

/** The fault of a status that is not a success. */
export function failureOfStatus(status: number): ServerFailure {
  if (status === 401 || status === 403) return new ServerFailure('unauthorized');
  if (status === 404) return new ServerFailure('not_found');
  if (status === 429) return new ServerFailure('rate_limited');
  return new ServerFailure('http_error', status);
}

/** Sentences of servers that do not know a session, as they stand in bodies of any status. */
const LOST_SESSION =
  /\bsession\b.{0,40}\b(not found|unknown|invalid|expired|terminated|closed|does not exist|required|missing)|\b(no|not a|unknown|invalid|expired|missing)\b.{0,30}\bsession(?:_?id)?\b|\bnot initialized\b|\bexpect(ed)?\b.{0,20}\binitialize\b/i;

/** The beginning of such a sentence that can mean no session but that of the protocol, such as one of a browser. */
const OF_PROTOCOL =
  /^(bad request|unauthorized|not found|error)?\W*((the|this|your|mcp|no|not|a|valid|unknown|invalid|or|expired|missing)\W+)*(session|server not initialized)\b/i;

/** Codes of JSON-RPC with which servers refuse a message. Other codes are of tools that ran. */
const REFUSALS = new Set([-32000, -32001, -32002, -32600]);

/** Whether a server says that it does not have a session: it has lost its sessions, or ended this one. */
const isSessionLost = (text: string): boolean => LOST_SESSION.test(text.slice(0, 1_000));

/** Whether the error of a call says so. It may come from the tool, after the tool has run, so its words must be clear. */
export const isLostError = ({ code, message }: { code: number; message: string }): boolean =>
  REFUSALS.has(code) && message.length <= 200 && OF_PROTOCOL.test(message) && isSessionLost(message);

/** Whether the body of an error says so. One with the id of the call is an error of the call. */
export function isLostBody(body: string): boolean {
  const { id, error } = jsonOf(body);
  if (typeof id !== 'number' || !isFields(error)) return isSessionLost(body);
  const { code, message } = error;
  return typeof code === 'number' && typeof message === 'string' && isLostError({ code, message });
}

function jsonOf(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Whether an error is one of the network or of a bound: undici hides it in `cause`, and it has a code such as ECONNREFUSED. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof OutboundFailure ||
  error instanceof RefusedAddressError ||
  error instanceof JsonTooLarge ||
  (isFields(error) &&
    (error.name === 'TimeoutError' ||
      connectionFaultOf(String(error.code)) !== null ||
      /^(E[A-Z]+$|EAI_|UND_|ERR_|HPE_|Z_)/.test(String(error.code))));

/** Converts an error of the MCP client, of undici or of a socket. Any other error is an unreadable answer. */
export function serverFailure(error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  if (error instanceof SdkHttpError && error.status !== undefined) return failureOfStatus(error.status);
  if (error instanceof SdkError || error instanceof ProtocolError) return new ServerFailure('invalid_answer');
  const cause = error instanceof TypeError && error.cause !== undefined ? error.cause : error;
  if (!isOfNetwork(cause)) return new ServerFailure('invalid_answer');
  const { fault, status } = outboundFailure(cause);
  return new ServerFailure(fault, status);
}

/** Whether a server may answer the next time, for example after its restart. */
export function isPassing(error: unknown): boolean {
  const { fault, status = 0 } = serverFailure(error);
  return fault === 'unreachable' || fault === 'refused' || status >= 500;
}
