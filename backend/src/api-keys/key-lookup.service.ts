import type { KeyScope } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { KeyTerms } from '../identity/identity.js';
import { Statements } from '../platform/database/statements.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type Roles, RolesService } from '../users/roles.service.js';
import { ACCOUNT_COLUMNS, joinAccount } from '../users/user-sql.js';
import type { RateLimit } from '../platform/rate-limits/rate-limits.js';
import { ApiRates } from './api-rates.js';
import { hashOfKey, isKey } from './key-text.js';

export interface KeyOwner extends Roles {
  isService: boolean;
  apiKey: KeyTerms;
}

export interface AdminKeyOwner extends Roles {
  adminKey: { id: number; name: string };
}

/** Requests with an invalid key from one address, per minute. */
export const WRONG_KEYS: RateLimit = { name: 'wrong-keys', points: 60, window: 60 };

interface Row extends Roles {
  isService: boolean;
  keyName: string;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  keyId: number;
  models: string[] | null;
  keyBudgetUsd: string | null;
  /** Whether the stored time of the last use is older than a minute. */
  isUseStale: boolean;
}

/** $1 hash, $2 scope. */
const FIND_KEY = `select ${ACCOUNT_COLUMNS}, u.is_service as "isService",
  k.id as "keyId", k.name as "keyName", k.models, k.budget_usd as "keyBudgetUsd",
  k.requests_per_minute as "requestsPerMinute", k.tokens_per_minute as "tokensPerMinute",
  coalesce(k.last_used_at < now() - interval '1 minute', true) as "isUseStale"
from api_key k ${joinAccount('k.user_id')}
where k.key_hash = $1 and k.scope = $2 and coalesce(k.expires_at > now(), true)`;

/** Finds the account of an API key. Every call reads Postgres, so that a deleted key is refused by all nodes at once. */
@Injectable()
export class KeyLookup {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly roles: RolesService,
    private readonly statements: Statements,
    private readonly rates: ApiRates,
  ) {}

  /** @returns null for a malformed, unknown, expired or deleted key, and for one that is not for `/api/v1` */
  async find(key: string): Promise<KeyOwner | null> {
    const row = await this.read(key, 'api');
    if (row === null) return null;
    const {
      keyId,
      keyName: _,
      models,
      keyBudgetUsd,
      requestsPerMinute,
      tokensPerMinute,
      isUseStale: __,
      ...roles
    } = row;
    const rate = this.rates.rateOf(row, keyId, { requestsPerMinute, tokensPerMinute });
    return { ...roles, apiKey: { id: keyId, models, budgetUsd: keyBudgetUsd, ...(rate && { rate }) } };
  }

  /** The admin whose key of scope `admin` this is. @returns null as `find`, and while its maker is no active admin */
  async findAdmin(key: string): Promise<AdminKeyOwner | null> {
    const row = await this.read(key, 'admin');
    if (row === null || !row.isAdmin || !row.isApproved || row.isSuspended) return null;
    return { ...row, adminKey: { id: row.keyId, name: row.keyName } };
  }

  private async read(key: string, scope: KeyScope): Promise<Row | null> {
    if (!isKey(key)) return null;
    const [row] = await this.statements.run<Row>(FIND_KEY, [hashOfKey(key), scope]);
    if (row === undefined) return null;
    this.roles.noteCall(row);
    if (row.isUseStale) await this.noteUse(row.keyId);
    return row;
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
