import {
  type AccessRule,
  type CreateToolServerRequest,
  type Plan,
  TOOL_SERVER_LIMITS,
  type TestToolServerRequest,
  type ToolServer,
  type UpdateToolServerRequest,
} from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { accessChange, isSameAccess } from '../../../components/forms/access-fields';

export interface HeaderRow {
  /** Stays with the row while others are added and removed. */
  key: number;
  name: string;
  /** '' for a stored header, whose value is never returned. */
  value: string;
}

export interface ServerValues {
  name: string;
  url: string;
  headers: HeaderRow[];
  plans: Plan[];
  rule: AccessRule;
}

let lastKey = 0;
export const newRow = (name = ''): HeaderRow => ({ key: ++lastKey, name, value: '' });

export function toServerValues(server: ToolServer | null): ServerValues {
  if (!server)
    return { name: '', url: '', headers: [], plans: ['free', 'premium'], rule: { access: 'everyone', groupIds: [] } };
  const { name, url, headerNames, plans, access, groupIds } = server;
  return { name, url, headers: headerNames.map(newRow), plans, rule: { access, groupIds } };
}

const isEmpty = ({ name, value }: HeaderRow): boolean => name.trim() === '' && value === '';

/** Whether the rows still stand for the stored headers. */
function areStored(rows: readonly HeaderRow[], storedNames: readonly string[]): boolean {
  const used = rows.filter((row) => !isEmpty(row));
  return (
    used.length === storedNames.length &&
    used.every(({ name, value }, index) => value === '' && name === storedNames[index])
  );
}

/** Whether a header of this name is stored; names are compared without case. */
export const isStored = (name: string, storedNames: readonly string[]): boolean =>
  storedNames.some((stored) => stored.toLowerCase() === name.trim().toLowerCase());

const toHeaders = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter((row) => !isEmpty(row)).map(({ name, value }) => [name.trim(), value.trim()]));

/** A header without a value keeps its stored one. */
const toChangedHeaders = (rows: readonly HeaderRow[], storedNames: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(toHeaders(rows)).map(([name, value]) => [
      name,
      value === '' && isStored(name, storedNames) ? null : value,
    ]),
  );

export function toCreateRequest({ name, url, headers, plans, rule }: ServerValues): CreateToolServerRequest {
  return {
    name: name.trim(),
    url: url.trim(),
    headers: toHeaders(headers),
    plans,
    ...(rule.access !== 'everyone' && rule),
  };
}

/** The changed fields alone, so that another admin's change of the others stays. */
export function toUpdateRequest(values: ServerValues, server: ToolServer): UpdateToolServerRequest {
  const { name, url, plans } = toCreateRequest(values);
  const isSamePlans = plans?.length === server.plans.length && plans.every((plan) => server.plans.includes(plan));
  return {
    ...(name !== server.name && { name }),
    ...(url !== server.url && { url }),
    ...(!areStored(values.headers, server.headerNames) && {
      headers: toChangedHeaders(values.headers, server.headerNames),
    }),
    ...(!isSamePlans && { plans }),
    ...(!isSameAccess(values.rule, server) && accessChange(values.rule)),
  };
}

/** A test of what is entered; a saved server keeps what has not changed. */
export function toTestRequest(values: ServerValues, server: ToolServer | null): TestToolServerRequest {
  if (!server) return { url: values.url.trim(), headers: toHeaders(values.headers) };
  const { url, headers } = toUpdateRequest(values, server);
  return { id: server.id, ...(url !== undefined && { url }), ...(headers && { headers }) };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Validation rules: true or the error message. The server checks the rest. */
export const SERVER_RULES = {
  name: (value: string): true | string => value.trim() !== '' || t('common.nameRequired'),
  url: (value: string): true | string => {
    const text = value.trim();
    if (text === '') return t('toolServers.urlRequired');
    const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= TOOL_SERVER_LIMITS.url.max;
    return isUrl || t('connections.baseUrlInvalid');
  },
  headers: (rows: readonly HeaderRow[], storedNames: readonly string[]): true | string => {
    if (areStored(rows, storedNames)) return true;
    const used = rows.filter((row) => !isEmpty(row));
    const names = used.map(({ name }) => name.trim().toLowerCase());
    for (const { name, value } of used) {
      if (!TOKEN.test(name.trim()) || !PRINTABLE.test(value)) return t('toolServers.headerInvalid');
      if (value.trim() === '' && !isStored(name, storedNames)) {
        return t('toolServers.headerValueRequired', { name: name.trim() });
      }
    }
    return new Set(names).size === names.length || t('toolServers.headerTwice');
  },
};
