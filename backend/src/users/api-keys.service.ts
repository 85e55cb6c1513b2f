import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';
import { Bus } from '../platform/bus/bus.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Cell, SecretBox } from '../platform/secrets/secret-box.js';
import { NO_PASSWORD } from './deletion/account-deletion.js';
import { createKey, hashOfKey } from './key-secret.js';
import { UserEntity } from './user.entity.js';
import { apiKeyEnded } from '../identity/identity-topics.js';

const keyCell = (row: number): Cell => ({ table: 'user', column: 'api_key_sealed', row });

/**
 * The single API key of an account, which its owner can read again; the room `api-keys` has the others. Its SHA-256 serves
 * look-ups; the key sealed under APP_SECRET serves its owner.
 */
@Injectable()
export class ApiKeyService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  /** Generates a key. The previous key is revoked at once. @throws AppError `not_found` */
  async generate(userId: number): Promise<string> {
    const key = createKey();
    const { affected } = await this.users.update(
      // An account whose deletion has begun stays without a key.
      { id: userId, passwordHash: Not(NO_PASSWORD) },
      { apiKeyHash: hashOfKey(key), apiKeySealed: this.secrets.seal(key, keyCell(userId)) },
    );
    if (!affected) throw new AppError('not_found');
    await this.publishEnd(userId);
    return key;
  }

  async revoke(userId: number): Promise<void> {
    await this.users.update({ id: userId }, { apiKeyHash: null, apiKeySealed: null });
    await this.publishEnd(userId);
  }

  /** The whole key. It is null, though still valid, when it was sealed under another APP_SECRET. */
  async reveal(userId: number): Promise<{ hasApiKey: boolean; apiKey: string | null }> {
    const user = await this.users.findOneBy({ id: userId });
    const sealed = user?.apiKeySealed ?? null;
    const apiKey = sealed === null ? null : this.secrets.open(sealed, keyCell(userId));
    return { hasApiKey: user?.apiKeyHash != null, apiKey };
  }

  /** Call it after the change: its time must lie between the last use of the previous key and the first of the new one. */
  private async publishEnd(userId: number): Promise<void> {
    const read = this.users.query<[{ at: string }]>('select clock_timestamp()::text as at');
    // Without the time all generations end, as the key is changed already.
    const [time] = await read.catch(() => []);
    await this.bus.publish(apiKeyEnded, { userId, at: time?.at });
  }
}
