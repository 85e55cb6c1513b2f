import {
  type ConnectionKind,
  type CreateConnectionRequest,
  LIMITS,
  type ProviderConnection,
  type TestConnectionRequest,
  type UpdateConnectionRequest,
} from '@tanya/contract';
import { t } from '../../../app/i18n/translate';

/** Values of the connection dialog. The key is masked until it is replaced. */
export interface ConnectionValues {
  kind: ConnectionKind;
  name: string;
  baseUrl: string;
  apiKey: string;
}

export function toConnectionValues(connection: ProviderConnection | null): ConnectionValues {
  if (!connection) return { kind: 'compatible', name: '', baseUrl: '', apiKey: '' };
  const { kind, name, baseUrl, apiKey, keySource } = connection;
  // A key of the environment is not a value of the form: it cannot be edited here.
  return { kind, name, baseUrl, apiKey: keySource === 'settings' ? apiKey : '' };
}

export function toCreateRequest({ kind, name, baseUrl, apiKey }: ConnectionValues): CreateConnectionRequest {
  return { kind, name: name.trim(), baseUrl: baseUrl.trim(), apiKey: apiKey.trim() };
}

/** The changed fields alone, so that another admin's change of the others stays. */
export function toUpdateRequest(values: ConnectionValues, stored: ConnectionValues): UpdateConnectionRequest {
  const fields = ['name', 'baseUrl', 'apiKey'] as const;
  return Object.fromEntries(
    fields.filter((name) => values[name] !== stored[name]).map((name) => [name, values[name].trim()]),
  );
}

/** A test of the values as they are typed; fields that were not changed come from the saved connection. */
export function toTestRequest(values: ConnectionValues, connection: ProviderConnection | null): TestConnectionRequest {
  const { kind, baseUrl, apiKey } = toCreateRequest(values);
  if (!connection) return { kind, baseUrl, apiKey };
  const { baseUrl: newUrl, apiKey: newKey } = toUpdateRequest(values, toConnectionValues(connection));
  return {
    id: connection.id,
    ...(newUrl !== undefined && { baseUrl: newUrl }),
    ...(newKey !== undefined && { apiKey: newKey }),
  };
}

/** Validation rules: true or the error message. The server checks the rest. */
export const CONNECTION_RULES = {
  name: (value: string): true | string => value.trim() !== '' || t('common.nameRequired'),
  baseUrl: (value: string, { kind }: ConnectionValues): true | string => {
    const text = value.trim();
    if (text === '') return kind !== 'compatible' || t('connections.baseUrlRequired');
    const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= LIMITS.baseUrl.max;
    return isUrl || t('connections.baseUrlInvalid');
  },
};
