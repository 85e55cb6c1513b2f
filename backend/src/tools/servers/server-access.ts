import { TOOL_SERVER_LIMITS } from '@tanya/contract';
import { invalidField, refuseField } from '../../platform/errors/app-error.js';
import { isForbiddenAddress } from '../../platform/net/address-ranges.js';
import type { Cell, SecretBox } from '../../platform/secrets/secret-box.js';
import type { ToolServerEntity } from './tool-server.entity.js';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** Headers of the connection and of the protocol, which the client sets itself. */
const RESERVED = new Set([
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws AppError `invalid` */
export function parseServerUrl(given: string): string {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refuseField('url', 'base_url');
  }
  if (url.username || url.password || url.hash) {
    throw invalidField('url', 'The address contains credentials or a fragment. Please remove them.', 'base_url_parts');
  }
  // Cloud metadata services give out the machine's credentials. Host names are checked when the client connects.
  if (isForbiddenAddress(url.hostname)) {
    throw refuseField('url', 'base_url_forbidden');
  }
  return url.href;
}

/** Checks headers. @returns null for none @throws AppError `invalid` */
export function parseHeaders(given: Record<string, unknown>): Record<string, string> | null {
  const { headers: max, headerName, headerValue } = TOOL_SERVER_LIMITS;
  const entries = Object.entries(given);
  if (entries.length === 0) return null;
  if (entries.length > max) throw invalidField('headers', `There can be at most ${max} headers.`, 'headers_count');
  const names = new Set<string>();
  for (const [name, value] of entries) {
    const isName = TOKEN.test(name) && name.length <= headerName.max && !RESERVED.has(name.toLowerCase());
    if (!isName || names.has(name.toLowerCase())) {
      throw refuseField('headers', 'header_name');
    }
    if (typeof value !== 'string' || !VALUE.test(value) || value.length > headerValue.max) {
      throw refuseField('headers', 'header_value');
    }
    names.add(name.toLowerCase());
  }
  return given as Record<string, string>;
}

const headersCell = (row: number): Cell => ({ table: 'tool_server', column: 'headers_sealed', row });

/** @param serverId of the row that they are stored in */
export const sealHeaders = (
  headers: Record<string, string> | null,
  serverId: number,
  secrets: SecretBox,
): string | null => (headers === null ? null : secrets.seal(JSON.stringify(headers), headersCell(serverId)));

/** @returns null when they were sealed under another APP_SECRET or for another server */
export function openHeaders(
  { id, headersSealed }: Pick<ToolServerEntity, 'id' | 'headersSealed'>,
  secrets: SecretBox,
): Record<string, string> | null {
  if (headersSealed === null) return {};
  const text = secrets.open(headersSealed, headersCell(id));
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}
