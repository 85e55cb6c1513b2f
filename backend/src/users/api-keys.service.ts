import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Bus } from '../platform/bus/bus.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { UserEntity } from './user.entity.js';
import { apiKeyEnded } from '../identity/identity-topics.js';

const PREFIX = 'tk_';
const KEY_BYTES = 32;
const KEY = /^tk_[\w-]{43}$/;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * The API key of an account: 256 random bits. Its SHA-256 serves look-ups; the key sealed under APP_SECRET serves its
 * owner, who can read it again.
 */
@Injectable()
export class ApiKeyService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  /** Generates a key. The previous key is revoked at once. */
  async generate(userId: number): Promise<string> {
    const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    await this.users.update({ id: userId }, { apiKeyHash: hashOf(key), apiKeySealed: this.secrets.seal(key) });
    await this.bus.publish(apiKeyEnded, { userId });
    return key;
  }

  async revoke(userId: number): Promise<void> {
    await this.users.update({ id: userId }, { apiKeyHash: null, apiKeySealed: null });
    await this.bus.publish(apiKeyEnded, { userId });
  }

  /** The whole key. It is null, though still valid, when it was sealed under another APP_SECRET. */
  async reveal(userId: number): Promise<{ hasApiKey: boolean; apiKey: string | null }> {
    const user = await this.users.findOneBy({ id: userId });
    const sealed = user?.apiKeySealed ?? null;
    return { hasApiKey: user?.apiKeyHash != null, apiKey: sealed === null ? null : this.secrets.open(sealed) };
  }

  /** The account of a key; null for a malformed, unknown or revoked key. */
  async findOwner(key: string): Promise<UserEntity | null> {
    return KEY.test(key) ? this.users.findOneBy({ apiKeyHash: hashOf(key) }) : null;
  }
}
