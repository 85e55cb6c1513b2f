import {
  type AdminApiKey,
  type ApiKey,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  type CreateServiceKeyRequest,
  type LimitKeyRequest,
  LIMITS,
  type UpdateApiKeyRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DeepPartial, type EntityManager, type FindOptionsWhere, In, type Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { changeOfRow, recordChange } from '../audit/audit-log.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { NAMED_USERS } from '../users/user-sql.js';
import { usernameKey } from '../users/username.js';
import { bindLimits, ensureWithin, limitsIn } from './key-limits.js';
import { BudgetReader } from '../budgets/budget-reader.js';
import { ownerUserId } from '../identity/identity.js';
import { apiKeyEnded } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { recordEndOfApiKeys } from '../users/user-audit.js';
import { UserLookup } from '../users/user-lookup.service.js';
import { UsersService } from '../users/users.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { createKey, hashOfKey } from './key-text.js';

const HINT_LENGTH = 4;

export interface KeyListQuery {
  userId: number | null;
  /** A part of the key's name or of the username, in any case. */
  query: string;
  limit: number;
  before: number | null;
}

export interface KeyName {
  name: string;
  userId: number;
  username: string | null;
}

/** The API keys of accounts, which are shown once; for admins also the readable ones (`ReadableKeyService`). */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly users: UsersService,
    private readonly lookup: UserLookup,
    private readonly access: AccountAccessService,
    private readonly budgets: BudgetReader,
    private readonly bus: Bus,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('apiKeys', (owner) => this.exported(ownerUserId(owner)));
  }

  /** Newest first, without the readable key; at most `LIMITS.apiKeys`. */
  async list(userId: number): Promise<ApiKey[]> {
    return this.viewsOf(await this.keys.find({ where: { userId, isReadable: false }, order: { id: 'DESC' } }));
  }

  /**
   * Makes a key of one's own. One of scope `admin` needs the password, which the caller has verified.
   * @throws AppError `invalid` for a time in the past or, of scope `admin`, beyond a year; `conflict` for too many keys;
   *   `forbidden` without access to the API
   */
  async create(userId: number, { scope = 'api', ...request }: CreateApiKeyRequest): Promise<CreatedApiKey> {
    const limits = limitsIn(request);
    if (scope === 'admin') return this.insert({ userId, scope, name: request.name, ...limits, ...adminExpiry(limits) });
    this.access.ensureApiAccess(await this.users.get(userId));
    return this.insert({ userId, scope, name: request.name, ...limits });
  }

  /** Makes a key of a service account for an admin. @throws AppError as `create`, `forbidden` for the account of a person */
  async createForService(userId: number, request: CreateServiceKeyRequest): Promise<CreatedApiKey> {
    const user = await this.users.get(userId);
    if (!user.isService) throw new AppError('forbidden', { reason: 'key_of_person' });
    const { name, requestsPerMinute, tokensPerMinute } = request;
    const rates = { requestsPerMinute, tokensPerMinute };
    return this.insert({ userId, name, ...limitsIn(request), ...rates, adminLimits: bindLimits({}, request) });
  }

  private async insert(fields: DeepPartial<ApiKeyEntity> & { userId: number }): Promise<CreatedApiKey> {
    const key = createKey();
    const row = this.keys.create({ ...fields, keyHash: hashOfKey(key), hint: key.slice(-HINT_LENGTH) });
    const { userId } = fields;
    const stored = await this.keys.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      const count = await manager.countBy(ApiKeyEntity, { userId, isReadable: false });
      if (count >= LIMITS.apiKeys) throw tooMany();
      await manager.insert(ApiKeyEntity, row);
      const stored = await manager.findOneByOrFail(ApiKeyEntity, { id: row.id });
      await recordChange(manager, changeOfRow('api_key.create', null, stored, audited));
      return stored;
    });
    return { ...(await this.viewOf(stored)), key };
  }

  /**
   * A change by the owner.
   * @throws AppError `not_found`, `invalid` for a time in the past, `forbidden` beyond a limit that an admin set
   */
  async update(userId: number, id: number, request: UpdateApiKeyRequest): Promise<ApiKey> {
    const changes = presentFields({ name: request.name, ...limitsIn(request) });
    const row = await this.keys.manager.transaction(async (manager) => {
      const row = await lockedKey(manager, { id, userId, isReadable: false });
      const before = { ...row };
      ensureWithin(row.adminLimits, changes);
      if (row.scope === 'admin') Object.assign(changes, adminExpiry({ ...row, ...changes }));
      await manager.save(Object.assign(row, changes));
      if (row.scope === 'admin') await recordChange(manager, changeOfRow('api_key.update', before, row, audited));
      return row;
    });
    return this.viewOf(row);
  }

  /** A change by an admin, whose limits bind the owner. @throws AppError as `update` */
  async limit(id: number, request: LimitKeyRequest): Promise<AdminApiKey> {
    const { requestsPerMinute, tokensPerMinute } = request;
    const changes = presentFields({ ...limitsIn(request), requestsPerMinute, tokensPerMinute });
    const row = await this.keys.manager.transaction(async (manager) => {
      const row = await lockedKey(manager, { id });
      const before = { ...row };
      if (row.scope === 'admin') Object.assign(changes, adminExpiry({ ...row, ...changes }));
      Object.assign(row, changes, { adminLimits: bindLimits(row.adminLimits, request) });
      await manager.save(row);
      await recordChange(manager, changeOfRow('api_key.update', before, row, audited));
      return row;
    });
    const [view] = await this.adminViewsOf([row]);
    return view!;
  }

  /** All keys for admins, newest first, readable ones included. @param before id of the last key of the page before */
  async listAll({ userId, query, limit, before }: KeyListQuery): Promise<{ keys: AdminApiKey[]; next: number | null }> {
    const wanted = this.keys
      .createQueryBuilder('key')
      .orderBy('key.id', 'DESC')
      .limit(limit + 1);
    if (userId !== null) wanted.andWhere('key.userId = :userId', { userId });
    if (before !== null) wanted.andWhere('key.id < :before', { before });
    if (query !== '')
      wanted.andWhere(`(strpos(lower(key.name), lower(:query)) > 0 or key.userId in (${NAMED_USERS}))`, {
        query,
        usernameKey: usernameKey(query),
      });
    const rows = await wanted.getMany();
    const page = rows.slice(0, limit);
    return { keys: await this.adminViewsOf(page), next: rows.length > limit ? page.at(-1)!.id : null };
  }

  /** Deletes any key for an admin, and ends its running answers. @throws AppError `not_found` */
  async deleteAny(id: number): Promise<void> {
    const { userId } = await this.keys.manager.transaction(async (manager) => {
      const row = await lockedKey(manager, { id });
      await manager.delete(ApiKeyEntity, { id });
      await recordChange(manager, changeOfRow('api_key.delete', row, null, audited));
      return row;
    });
    await this.bus.publish(apiKeyEnded, { userId, apiKeyId: id });
  }

  /** A deletion by the owner. Ends the running answers of the key. @throws AppError `not_found` */
  async delete(userId: number, id: number): Promise<void> {
    await this.keys.manager.transaction(async (manager) => {
      const row = await lockedKey(manager, { id, userId, isReadable: false });
      await manager.delete(ApiKeyEntity, { id });
      if (row.scope === 'admin') await recordChange(manager, changeOfRow('api_key.delete', row, null, audited));
    });
    await this.bus.publish(apiKeyEnded, { userId, apiKeyId: id });
  }

  /**
   * Makes a change, and if that is wanted deletes all keys of the account in its transaction and ends their running answers.
   * @param change runs `alongside` within its transaction
   */
  async endIf<T>(
    isWanted: boolean,
    userId: number,
    change: (alongside?: (manager: EntityManager) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    if (!isWanted) return change();
    let ended: { id: number }[] = [];
    const changed = await change(async (manager) => {
      const user = await this.users.getWithin(manager, userId);
      [ended] = await manager.query<[{ id: number }[], number]>('delete from api_key where user_id = $1 returning id', [
        userId,
      ]);
      if (ended.length > 0) await recordEndOfApiKeys(manager, user);
    });
    for (const { id } of ended) await this.bus.publish(apiKeyEnded, { userId, apiKeyId: id });
    return changed;
  }

  /** Names for reports by key id; a deleted key is missing. */
  async namesOf(ids: readonly number[]): Promise<Map<number, KeyName>> {
    if (ids.length === 0) return new Map();
    const keys = await this.keys.find({ select: { id: true, name: true, userId: true }, where: { id: In([...ids]) } });
    const usernames = await this.lookup.usernamesOf(keys.map(({ userId }) => userId));
    return new Map(keys.map(({ id, name, userId }) => [id, { name, userId, username: usernames.get(userId) ?? null }]));
  }

  private async adminViewsOf(rows: ApiKeyEntity[]): Promise<AdminApiKey[]> {
    const [views, users] = await Promise.all([
      this.viewsOf(rows),
      this.lookup.namesOf(rows.map(({ userId }) => userId)),
    ]);
    return rows.map(({ userId, isReadable }, index) => {
      const { hint: _, ...view } = views[index]!;
      const { username = '', isService = false } = users.get(userId) ?? {};
      return { ...view, userId, username, isService, isReadable };
    });
  }

  private async viewOf(row: ApiKeyEntity): Promise<ApiKey> {
    const [view] = await this.viewsOf([row]);
    return view!;
  }

  private async viewsOf(rows: ApiKeyEntity[]): Promise<ApiKey[]> {
    const budgets = await this.budgets.ofKeys(rows);
    return rows.map((row) => toApiKey(row, budgets.get(row.id)?.spentUsd ?? null));
  }

  private async *exported(userId: number | null): AsyncGenerator<ApiKey> {
    if (userId !== null) yield* await this.list(userId);
  }
}

const tooMany = (): AppError => new AppError('conflict', { reason: 'api_keys', params: { max: LIMITS.apiKeys } });

/** @throws AppError `not_found` */
async function lockedKey(manager: EntityManager, where: FindOptionsWhere<ApiKeyEntity>): Promise<ApiKeyEntity> {
  const row = await manager.findOne(ApiKeyEntity, { where, lock: { mode: 'for_no_key_update' } });
  if (row === null) throw new AppError('not_found');
  return row;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The expiry of a key of scope `admin`, by default the latest possible. @throws AppError `invalid` */
function adminExpiry({ expiresAt }: { expiresAt?: Date | null | undefined }): { expiresAt: Date } {
  const latest = new Date(Date.now() + LIMITS.adminKeyDays * DAY_MS);
  if (expiresAt && expiresAt > latest) throw refuseField('expiresAt', 'admin_key_expiry');
  return { expiresAt: expiresAt ?? latest };
}

const audited = (row: ApiKeyEntity): object => ({
  name: row.name,
  scope: row.scope,
  messageCap: row.messageCap,
  budgetUsd: row.budgetUsd,
  models: row.models,
  expiresAt: row.expiresAt,
  requestsPerMinute: row.requestsPerMinute,
  tokensPerMinute: row.tokensPerMinute,
});

const toApiKey = (row: ApiKeyEntity, spentUsd: string | null): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint ?? '',
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  messageCap: row.messageCap,
  messagesUsed: row.messagesCharged,
  budgetUsd: row.budgetUsd,
  spentUsd,
  models: row.models,
  scope: row.scope,
  requestsPerMinute: row.requestsPerMinute,
  tokensPerMinute: row.tokensPerMinute,
  adminLimits: row.adminLimits,
});
