import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Bus } from '../platform/redis/bus.js';
import { SecretBox } from '../platform/session/secret-box.js';
import { UserEntity } from './user.entity.js';

const PREFIX = 'tk_';
const KEY_BYTES = 32;
const KEY = /^tk_[\w-]{43}$/;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * The one API key of an account: 256 random bits, looked up by their SHA-256 and sealed under APP_SECRET, so that its
 * owner can read it again.
 */
@Injectable()
export class ApiKeyService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  /** Makes a key; the one before it is dead at once. */
  async generate(userId: number): Promise<string> {
    const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    await this.users.update({ id: userId }, { apiKeyHash: hashOf(key), apiKeySealed: this.secrets.seal(key) });
    await this.bus.publish('api-key:ended', { userId });
    return key;
  }

  async revoke(userId: number): Promise<void> {
    await this.users.update({ id: userId }, { apiKeyHash: null, apiKeySealed: null });
    await this.bus.publish('api-key:ended', { userId });
  }

  /** The key in full; null when it was sealed under another APP_SECRET, though it still works. */
  async reveal(userId: number): Promise<{ hasApiKey: boolean; apiKey: string | null }> {
    const user = await this.users.findOneBy({ id: userId });
    const sealed = user?.apiKeySealed ?? null;
    return { hasApiKey: user?.apiKeyHash != null, apiKey: sealed === null ? null : this.secrets.open(sealed) };
  }

  /** Whose key this is; null for anything that is no living key. */
  async findOwner(key: string): Promise<UserEntity | null> {
    return KEY.test(key) ? this.users.findOneBy({ apiKeyHash: hashOf(key) }) : null;
  }
}
