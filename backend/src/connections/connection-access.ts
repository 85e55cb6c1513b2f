import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { type AppError, refuseField } from '../platform/errors/app-error.js';
import { type Cell, SecretBox } from '../platform/secrets/secret-box.js';
import type { ProviderAccess } from '../providers/registry.js';
import { accessChange, effectiveAccess, type GivenAccess, type StoredAccess } from './provider-access.js';
import type { ProviderConnectionEntity } from './provider-connection.entity.js';

/** Key and base URL of a row, and those in use: the environment makes the difference. */
export interface AccessPair {
  stored: StoredAccess;
  inUse: ProviderAccess;
}

type AccessRow = Pick<ProviderConnectionEntity, 'id' | 'kind' | 'baseUrl' | 'apiKeySealed'>;

const keyCell = (row: number): Cell => ({ table: 'provider_connection', column: 'api_key_sealed', row });

/** Names of the input fields. */
export const ACCESS_FIELDS = { apiKey: 'apiKey', baseUrl: 'baseUrl' };

/** Opens and seals the keys of connections, and adds key and base URL of the environment. */
@Injectable()
export class ConnectionAccess {
  constructor(
    private readonly secrets: SecretBox,
    @Inject(ENV) private readonly env: Env,
  ) {}

  stored({ id, apiKeySealed, baseUrl }: Pick<AccessRow, 'id' | 'apiKeySealed' | 'baseUrl'>): StoredAccess {
    const apiKey = apiKeySealed === null ? null : this.secrets.open(apiKeySealed, keyCell(id));
    return { apiKey, baseUrl, hasKey: apiKeySealed !== null };
  }

  /** Key and base URL in use while `stored` is in the row. Only the built-in connections have some in the environment. */
  inUse({ builtIn }: Pick<ProviderConnectionEntity, 'builtIn'>, stored: ProviderAccess): ProviderAccess {
    return builtIn === null ? stored : effectiveAccess(stored, this.env[builtIn]);
  }

  /** Writes key and base URL into the row. @throws AppError `invalid` */
  apply(row: AccessRow, given: GivenAccess, fields = ACCESS_FIELDS): void {
    const { apiKey, baseUrl } = accessChange(fields, given, this.stored(row));
    if (row.kind === 'compatible' && baseUrl === null) throw needsBaseUrl();
    row.baseUrl = baseUrl;
    if (apiKey === undefined) return;
    row.apiKeySealed = apiKey === null ? null : this.secrets.seal(apiKey, keyCell(row.id));
  }
}

export const needsBaseUrl = (): AppError => refuseField('baseUrl', 'base_url_required');
