import { SERVER_TOOL_POLICIES, type UpdateToolServerRequest } from '@tanya/contract';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import type { SecretBox } from '../../platform/secrets/secret-box.js';
import { openHeaders, parseHeaders, parseServerUrl, sealHeaders } from './server-access.js';
import type { ServerToolEntity } from './server-tool.entity.js';
import type { ToolServerEntity } from './tool-server.entity.js';

type ServerFields = Pick<UpdateToolServerRequest, 'name' | 'url' | 'headers' | 'plans'>;
type ToolFields = Pick<UpdateToolServerRequest, 'tools' | 'accept' | 'hashes'>;

/** Writes the given fields into the row. @throws AppError `invalid` */
export function changeServer(
  row: ToolServerEntity,
  { name, url, headers, plans }: ServerFields,
  secrets: SecretBox,
): void {
  if (name !== undefined) row.name = name;
  if (plans !== undefined) row.plans = plans;
  if (url !== undefined) {
    const changed = parseServerUrl(url);
    const isElsewhere = new URL(changed).origin !== new URL(row.url).origin;
    const keepsValue = headers === undefined || Object.values(headers).includes(null);
    // An admin, who cannot read the headers, could otherwise send them to another host.
    if (isElsewhere && keepsValue && row.headersSealed !== null) {
      throw refuseField('headers', 'server_headers');
    }
    row.url = changed;
  }
  if (headers !== undefined) {
    const parsed = parseHeaders(withStoredValues(headers, openHeaders(row, secrets)));
    row.headerNames = Object.keys(parsed ?? {});
    row.headersSealed = sealHeaders(parsed, row.id, secrets);
  }
}

/**
 * Headers with the stored values in place of null. Names are compared without case.
 * @param stored null when they cannot be read
 * @throws AppError `invalid` for a header without a stored value
 */
function withStoredValues(
  headers: Record<string, string | null>,
  stored: Record<string, string> | null,
): Record<string, string> {
  const values = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const entries = Object.entries(headers).map(([name, given]) => {
    const value = given ?? values.get(name.toLowerCase());
    if (value === undefined) {
      throw refuseField('headers', 'header_not_stored');
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Writes policies and acceptances into the rows of the listed tools.
 * @returns the changed rows
 * @throws AppError `invalid` for an unknown tool or policy, `conflict` for a definition that the admin has not seen
 */
export function changeTools(
  rows: readonly ServerToolEntity[],
  { tools, accept, hashes }: ToolFields,
): ServerToolEntity[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const rowOf = (field: string, name: string): ServerToolEntity => {
    const row = byName.get(name);
    if (row === undefined) throw refuseField(field, 'tool_unknown');
    return row;
  };
  const changed = new Set<ServerToolEntity>();
  for (const [name, policy] of Object.entries(tools ?? {})) {
    const row = rowOf('tools', name);
    if (!SERVER_TOOL_POLICIES.includes(policy)) {
      throw refuseField('tools', 'tool_policy');
    }
    row.policy = policy;
    changed.add(row);
  }
  for (const name of accept ?? []) {
    const row = rowOf('accept', name);
    acceptChange(row, new Map(Object.entries(hashes ?? {})).get(name));
    changed.add(row);
  }
  return [...changed];
}

/** A tool that has not changed stays as it is: another admin may have accepted it meanwhile. */
function acceptChange(row: ServerToolEntity, seen: string | undefined): void {
  const { changed, changedHash } = row;
  if (seen !== undefined && seen !== (changedHash ?? row.acceptedHash)) {
    throw new AppError('conflict', { reason: 'tool_changed' });
  }
  if (changed === null || changedHash === null) return;
  Object.assign(row, { accepted: changed, acceptedHash: changedHash, changed: null, changedHash: null });
}
