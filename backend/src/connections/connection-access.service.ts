import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AppError, refuseField } from '../platform/errors/app-error.js';
import { type Cell, SecretBox } from '../platform/secrets/secret-box.js';
import { type ConnectionConfig, type ProviderAccess, ProviderRegistry } from '../providers/registry.js';
import { accessChange, type GivenAccess, type StoredAccess } from '../settings/provider-access.js';
import { SettingsService } from '../settings/settings.service.js';
import type { ProviderConnectionEntity } from './provider-connection.entity.js';

/** Key and base URL of a connection, as stored and in use; the environment makes the difference. */
export interface ConnectionAccess {
  stored: StoredAccess;
  inUse: ProviderAccess;
}

type AccessRow = Pick<ProviderConnectionEntity, 'id' | 'kind' | 'builtIn' | 'baseUrl' | 'apiKeySealed'>;

const keyCell = (row: number): Cell => ({ table: 'provider_connection', column: 'api_key_sealed', row });

/** Names of the input fields. */
export const ACCESS_FIELDS = { apiKey: 'apiKey', baseUrl: 'baseUrl' };

/** Keys and base URLs of the connections. Those of the built-in connections are stored with the settings alone. */
@Injectable()
export class ConnectionAccessService {
  constructor(
    private readonly settings: SettingsService,
    private readonly registry: ProviderRegistry,
    private readonly secrets: SecretBox,
  ) {}

  of(row: AccessRow): ConnectionAccess {
    if (row.builtIn === null) {
      const stored = this.storedIn(row);
      return { stored, inUse: stored };
    }
    return { stored: this.settings.accessOf(row.builtIn), inUse: this.registry.accessOf(row.builtIn) };
  }

  /** The connection as the provider registry takes it. */
  configOf(row: ProviderConnectionEntity): ConnectionConfig {
    const { id, kind, name, enabled, builtIn } = row;
    const { apiKey, baseUrl } = this.storedIn(row);
    return { id, kind, name, enabled, builtIn, access: { apiKey, baseUrl } };
  }

  /**
   * Applies a change to a row that is not stored yet, or to the settings in the caller's transaction.
   * @returns whether the settings were changed: the caller announces them after the commit
   * @throws AppError `invalid`
   */
  async change(manager: EntityManager, row: AccessRow, given: GivenAccess): Promise<boolean> {
    if (given.apiKey === undefined && given.baseUrl === undefined) return false;
    if (row.builtIn === null) {
      this.apply(row, given);
      return false;
    }
    await this.settings.updateAccess(manager, row.builtIn, given);
    return true;
  }

  /** Applies key and base URL to a row that is not built in. @throws AppError `invalid` */
  apply(row: AccessRow, given: GivenAccess): void {
    const { apiKey, baseUrl } = accessChange(ACCESS_FIELDS, given, this.storedIn(row));
    if (row.kind === 'compatible' && baseUrl === null) throw needsBaseUrl();
    row.baseUrl = baseUrl;
    if (apiKey === undefined) return;
    row.apiKeySealed = apiKey === null ? null : this.secrets.seal(apiKey, keyCell(row.id));
  }

  private storedIn({ id, apiKeySealed, baseUrl }: AccessRow): StoredAccess {
    const apiKey = apiKeySealed === null ? null : this.secrets.open(apiKeySealed, keyCell(id));
    return { apiKey, baseUrl, hasKey: apiKeySealed !== null };
  }
}

export const needsBaseUrl = (): AppError => refuseField('baseUrl', 'base_url_required');
