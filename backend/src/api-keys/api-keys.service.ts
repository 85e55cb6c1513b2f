import { randomBytes } from 'node:crypto';
import {
  type ApiKey,
  type ApiKeyResponse,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  LIMITS,
  type UpdateApiKeyRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { BudgetReader } from '../budgets/budget-reader.js';
import { ownerUserId } from '../identity/identity.js';
import { apiKeyEnded } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { nextId } from '../platform/database/next-id.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { type Cell, SecretBox } from '../platform/secrets/secret-box.js';
import { sha256Hex } from '../platform/secrets/sha256.js';
import { UsersService } from '../users/users.service.js';
import { ApiKeyEntity } from './api-key.entity.js';

const PREFIX = 'tk_';
const KEY_BYTES = 32;
const KEY = /^tk_[\w-]{43}$/;
const HINT_LENGTH = 4;

/** The name of the readable key in reports. */
const READABLE_NAME = 'API key';

/** 256 random bits. */
const createKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** SHA-256 of a key, hex. A key has enough entropy to need no slow hash. */
export const hashOfKey = (key: string): string => sha256Hex(key);

const secretCell = (row: number): Cell => ({ table: 'api_key', column: 'secret_sealed', row });

export interface KeyName {
  name: string;
  userId: number;
  username: string | null;
}

/**
 * The API keys of accounts. Each account has a list of keys that are shown once, and at most one key that its owner can read
 * again.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly users: UsersService,
    private readonly budgets: BudgetReader,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('apiKeys', (owner) => this.exported(ownerUserId(owner)));
  }

  /** Newest first, without the readable key; at most `LIMITS.apiKeys`. */
  async list(userId: number): Promise<ApiKey[]> {
    return this.viewsOf(await this.keys.find({ where: { userId, isReadable: false }, order: { id: 'DESC' } }));
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
      const count = await manager.countBy(ApiKeyEntity, { userId, isReadable: false });
      if (count >= LIMITS.apiKeys) throw tooMany();
      await manager.insert(ApiKeyEntity, row);
    });
    return { ...(await this.viewOf(await this.keys.findOneByOrFail({ id: row.id }))), key };
  }

  /** @throws AppError `not_found`, `invalid` for a time in the past */
  async update(userId: number, id: number, request: UpdateApiKeyRequest): Promise<ApiKey> {
    const own = { id, userId, isReadable: false };
    const changes = presentFields({ name: request.name, ...restrictions(request) });
    if (Object.keys(changes).length > 0) await this.keys.update(own, changes);
    const row = await this.keys.findOneBy(own);
    if (row === null) throw new AppError('not_found');
    return this.viewOf(row);
  }

  /** Ends the running answers of the key. @throws AppError `not_found` */
  async delete(userId: number, id: number): Promise<void> {
    const { affected } = await this.keys.delete({ id, userId, isReadable: false });
    if (!affected) throw new AppError('not_found');
    await this.bus.publish(apiKeyEnded, { userId, apiKeyId: id });
  }

  /** The readable key. It is null, though still valid, when it was sealed under another APP_SECRET. */
  async readable(userId: number): Promise<ApiKeyResponse> {
    const row = await this.keys.findOneBy({ userId, isReadable: true });
    const sealed = row?.secretSealed ?? null;
    return {
      hasApiKey: row !== null,
      apiKey: row === null || sealed === null ? null : this.secrets.open(sealed, secretCell(row.id)),
    };
  }

  /** Makes a readable key in place of the previous one, whose running answers end. @throws AppError `not_found` */
  async generate(userId: number): Promise<string> {
    const key = createKey();
    const previous = await this.keys.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      const previous = await deleteReadable(manager, userId);
      const id = await nextId(manager, 'api_key');
      await manager.insert(ApiKeyEntity, {
        id,
        userId,
        name: READABLE_NAME,
        keyHash: hashOfKey(key),
        isReadable: true,
        secretSealed: this.secrets.seal(key, secretCell(id)),
      });
      return previous;
    });
    if (previous !== null) await this.bus.publish(apiKeyEnded, { userId, apiKeyId: previous });
    return key;
  }

  /** Deletes the readable key, whose running answers end. */
  async revoke(userId: number): Promise<void> {
    const previous = await deleteReadable(this.keys.manager, userId);
    if (previous !== null) await this.bus.publish(apiKeyEnded, { userId, apiKeyId: previous });
  }

  /** Names for reports by key id; a deleted key is missing. */
  async namesOf(ids: readonly number[]): Promise<Map<number, KeyName>> {
    if (ids.length === 0) return new Map();
    const keys = await this.keys.find({ select: { id: true, name: true, userId: true }, where: { id: In([...ids]) } });
    const usernames = await this.users.usernamesOf(keys.map(({ userId }) => userId));
    return new Map(keys.map(({ id, name, userId }) => [id, { name, userId, username: usernames.get(userId) ?? null }]));
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

/** @returns the id of the deleted key; null without one */
async function deleteReadable(manager: EntityManager, userId: number): Promise<number | null> {
  const [[row]] = await manager.query<[{ id: number }[], number]>(
    'delete from api_key where user_id = $1 and is_readable returning id',
    [userId],
  );
  return row?.id ?? null;
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
  hint: row.hint ?? '',
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  messageCap: row.messageCap,
  messagesUsed: row.messagesCharged,
  budgetUsd: row.budgetUsd,
  spentUsd,
  models: row.models,
});
