import type { ApiKeyResponse } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { CARRY_KEY_BUDGET } from '../budgets/budget-sql.js';
import { userOwner } from '../identity/identity.js';
import { apiKeyEnded } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { nextId } from '../platform/database/next-id.js';
import { type Cell, SecretBox } from '../platform/secrets/secret-box.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { UsersService } from '../users/users.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { createKey, hashOfKey } from './key-text.js';

/** The name of the readable key in reports. */
const NAME = 'API key';

const secretCell = (row: number): Cell => ({ table: 'api_key', column: 'secret_sealed', row });

/** The key that its owner can read again: at most one of each account, beside the list of `ApiKeysService`. */
@Injectable()
export class ReadableKeyService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  /** The key is null, though still valid, when it was sealed under another APP_SECRET. */
  async read(userId: number): Promise<ApiKeyResponse> {
    const row = await this.keys.findOneBy({ userId, isReadable: true });
    const sealed = row?.secretSealed ?? null;
    return {
      hasApiKey: row !== null,
      apiKey: row === null || sealed === null ? null : this.secrets.open(sealed, secretCell(row.id)),
    };
  }

  /**
   * Makes a readable key in place of the previous one, whose running answers end. The limits that an admin set stay, and
   * so do the messages and the money that count against them, with what the running answers hold.
   * @throws AppError `not_found`, `forbidden` without access to the API
   */
  async generate(userId: number): Promise<string> {
    this.access.ensureApiAccess(await this.users.get(userId));
    const key = createKey();
    const replaced = await this.keys.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      // Waits for admissions with the key, which count, and for a change of its limits.
      const replaced = await manager.findOne(ApiKeyEntity, {
        where: { userId, isReadable: true },
        lock: { mode: 'pessimistic_write' },
      });
      if (replaced !== null) await manager.update(ApiKeyEntity, { id: replaced.id }, { isReadable: false });
      const id = await nextId(manager, 'api_key');
      await manager.insert(ApiKeyEntity, {
        ...(replaced !== null && (await keptLimits(manager, replaced))),
        id,
        userId,
        name: NAME,
        keyHash: hashOfKey(key),
        isReadable: true,
        secretSealed: this.secrets.seal(key, secretCell(id)),
      });
      if (replaced === null) return null;
      if (replaced.budgetUsd !== null) await manager.query(CARRY_KEY_BUDGET, [replaced.id, id]);
      await manager.delete(ApiKeyEntity, { id: replaced.id });
      return replaced.id;
    });
    if (replaced !== null) await this.bus.publish(apiKeyEnded, { userId, apiKeyId: replaced });
    return key;
  }

  /** Deletes the readable key, whose running answers end. */
  async revoke(userId: number): Promise<void> {
    const [[row]] = await this.keys.query<[{ id: number }[], number]>(
      'delete from api_key where user_id = $1 and is_readable returning id',
      [userId],
    );
    if (row !== undefined) await this.bus.publish(apiKeyEnded, { userId, apiKeyId: row.id });
  }
}

/** What admins decided about a key, for the key that replaces it. Its expiry was that of the secret. */
async function keptLimits(
  manager: EntityManager,
  { id, userId, adminLimits, messagesCharged, ...row }: ApiKeyEntity,
): Promise<Partial<ApiKeyEntity>> {
  const [running] = await manager.query<[{ messages: number }]>('select running_key_messages($1, $2) as messages', [
    userOwner(userId),
    id,
  ]);
  const { expiresAt: _, ...bounds } = adminLimits;
  const { messageCap, budgetUsd, models, requestsPerMinute, tokensPerMinute } = row;
  const limits = { messageCap, budgetUsd, models, requestsPerMinute, tokensPerMinute };
  return { ...limits, messagesCharged: messagesCharged + running.messages, adminLimits: bounds };
}
