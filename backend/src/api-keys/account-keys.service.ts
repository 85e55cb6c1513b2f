import {
  type ApiKey,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  LIMITS,
  type UpdateApiKeyRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { BudgetViews } from '../identity/budget-views.js';
import { ownerUserId } from '../identity/identity.js';
import { listedKeyEnded } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { createKey, hashOfKey } from '../users/key-secret.js';
import { UsersService } from '../users/users.service.js';
import { ApiKeyEntity } from './api-key.entity.js';

const HINT_LENGTH = 4;

/** The API keys of an account: list, creation, change and deletion. */
@Injectable()
export class AccountKeys {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly users: UsersService,
    private readonly budgets: BudgetViews,
    private readonly bus: Bus,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('apiKeys', (owner) => this.exported(ownerUserId(owner)));
  }

  /** Newest first; at most `LIMITS.apiKeys`. */
  async list(userId: number): Promise<ApiKey[]> {
    return this.viewsOf(await this.keys.find({ where: { userId }, order: { id: 'DESC' } }));
  }

  /** @throws AppError `invalid` for a time in the past, `conflict` for too many keys */
  async create(userId: number, request: CreateApiKeyRequest): Promise<CreatedApiKey> {
    const key = createKey();
    const row = this.keys.create({
      userId,
      keyHash: hashOfKey(key),
      hint: key.slice(-HINT_LENGTH),
      name: request.name,
      ...restrictions(request),
    });
    await this.keys.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      if ((await manager.countBy(ApiKeyEntity, { userId })) >= LIMITS.apiKeys) throw tooMany();
      await manager.insert(ApiKeyEntity, row);
    });
    return { ...(await this.viewOf(await this.keys.findOneByOrFail({ id: row.id }))), key };
  }

  /** @throws AppError `not_found`, `invalid` for a time in the past */
  async update(userId: number, id: number, request: UpdateApiKeyRequest): Promise<ApiKey> {
    const changes = presentFields({ name: request.name, ...restrictions(request) });
    if (Object.keys(changes).length > 0) await this.keys.update({ id, userId }, changes);
    const row = await this.keys.findOneBy({ id, userId });
    if (row === null) throw new AppError('not_found');
    return this.viewOf(row);
  }

  /** Ends the running answers of the key. @throws AppError `not_found` */
  async delete(userId: number, id: number): Promise<void> {
    const { affected } = await this.keys.delete({ id, userId });
    if (!affected) throw new AppError('not_found');
    await this.bus.publish(listedKeyEnded, { userId, apiKeyId: id });
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

/** The columns of the restrictions in a request; undefined for those that it omits. */
function restrictions({ expiresAt, messageCap, budgetUsd, models }: UpdateApiKeyRequest) {
  const expiry = expiresAt == null ? expiresAt : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw refuseField('expiresAt', 'future');
  return {
    expiresAt: expiry,
    messageCap,
    budgetUsd: budgetUsd == null ? budgetUsd : String(budgetUsd),
    models: models && [...new Set(models)],
  };
}

const toApiKey = (row: ApiKeyEntity, spentUsd: string | null): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  messageCap: row.messageCap,
  messagesUsed: row.messagesCharged,
  budgetUsd: row.budgetUsd,
  spentUsd,
  models: row.models,
});
