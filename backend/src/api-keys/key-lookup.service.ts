import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { KeyTerms } from '../identity/identity.js';
import { Statements } from '../platform/database/statements.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type Roles, RolesService } from '../users/roles.service.js';
import { ACCOUNT_COLUMNS, joinAccount } from '../users/user-sql.js';
import { hashOfKey, isKey } from './api-keys.service.js';

export interface KeyOwner extends Roles {
  apiKey: KeyTerms;
}

interface Row extends Roles {
  keyId: number;
  models: string[] | null;
  keyBudgetUsd: string | null;
  /** Whether the stored time of the last use is older than a minute. */
  isUseStale: boolean;
}

/** $1 hash. */
export const FIND_KEY = `select ${ACCOUNT_COLUMNS}, k.id as "keyId", k.models, k.budget_usd as "keyBudgetUsd",
  coalesce(k.last_used_at < now() - interval '1 minute', true) as "isUseStale"
from api_key k ${joinAccount('k.user_id')}
where k.key_hash = $1 and coalesce(k.expires_at > now(), true)`;

/** Finds the account of an API key. Every call reads Postgres, so that a deleted key is refused by all nodes at once. */
@Injectable()
export class KeyLookup {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly roles: RolesService,
    private readonly statements: Statements,
  ) {}

  /** @returns null for a malformed, unknown, expired or deleted key */
  async find(key: string): Promise<KeyOwner | null> {
    if (!isKey(key)) return null;
    const [row] = await this.statements.run<Row>(FIND_KEY, [hashOfKey(key)]);
    if (row === undefined) return null;
    this.roles.noteCall(row);
    const { keyId, models, keyBudgetUsd, isUseStale, ...roles } = row;
    if (isUseStale) await this.noteUse(keyId);
    return { ...roles, apiKey: { id: keyId, models, budgetUsd: keyBudgetUsd } };
  }

  private async noteUse(id: number): Promise<void> {
    try {
      await this.dataSource.query(
        `update api_key set last_used_at = now()
         where id = $1 and coalesce(last_used_at < now() - interval '1 minute', true)`,
        [id],
      );
    } catch (error) {
      this.logger.warn({ err: error, apiKeyId: id }, 'last use of an API key not stored; the call goes on');
    }
  }
}
