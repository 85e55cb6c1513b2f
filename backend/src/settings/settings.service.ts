import { TEXTS, type UpdateSettingsRequest } from '@tanya/contract';
import type { DataSource, EntityManager, Repository } from 'typeorm';
import type { Env } from '../config/env.js';
import { invalidField } from '../platform/errors/app-error.js';
import type { Bus } from '../platform/redis/bus.js';
import type { Logger } from '../platform/observability/logging.js';
import { TableCache } from '../platform/database/table-cache.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { SecretBox } from '../platform/session/secret-box.js';
import type { ProviderId, ProviderRegistry } from '../providers/registry.js';
import { type Access, effectiveAccess, keyChange, parseBaseUrl } from './provider-access.js';
import { SettingEntity } from './setting.entity.js';

/** What admins set, as the other features read it: without keys, which go to the provider registry alone. */
export type Settings = Readonly<
  Omit<SettingEntity, 'id' | 'openrouterApiKeySealed' | 'openaiApiKeySealed' | 'openrouterBaseUrl' | 'openaiBaseUrl'>
>;

const PROVIDERS: readonly ProviderId[] = ['openrouter', 'openai'];

interface Dependencies {
  dataSource: DataSource;
  env: Env;
  secrets: SecretBox;
  bus: Bus;
  logger: Logger;
  registry: ProviderRegistry;
}

/**
 * The one row of settings, kept in process so that reading costs nothing, and the provider registry that follows it.
 * Open it with `SettingsService.open`, which has read the row once.
 */
export class SettingsService {
  private readonly rows: Repository<SettingEntity>;
  private readonly cache: TableCache<SettingEntity>;

  private constructor(private readonly deps: Dependencies) {
    this.rows = deps.dataSource.getRepository(SettingEntity);
    this.cache = new TableCache(() => this.read(), deps.logger);
    deps.bus.subscribe('settings:changed', () => this.cache.reload());
  }

  static async open(deps: Dependencies): Promise<SettingsService> {
    const service = new SettingsService(deps);
    const { siteTitle, welcomeMessage, emptyThreadMessage, systemPrompt } = TEXTS.defaults;
    await service.rows
      .createQueryBuilder()
      .insert()
      .values({ id: 1, siteTitle, welcomeMessage, emptyThreadMessage, systemPrompt })
      .orIgnore()
      .execute();
    await service.cache.reload();
    return service;
  }

  get(): Settings {
    return this.cache.value;
  }

  /** Key and address of a provider as an admin set them, without the environment's. */
  accessOf(provider: ProviderId): Access {
    return accessIn(this.cache.value, provider, this.deps.secrets);
  }

  /** Providers whose stored key was sealed under another APP_SECRET. */
  unreadableKeys(): ProviderId[] {
    return PROVIDERS.filter((id) => sealedKey(this.cache.value, id) !== null && this.accessOf(id).apiKey === null);
  }

  /** @throws AppError `invalid` where a key or an address can't be taken */
  async update(changes: UpdateSettingsRequest): Promise<void> {
    await this.deps.dataSource.transaction((manager) => this.write(manager, changes));
    await this.cache.reload();
    await this.deps.bus.publish('settings:changed', null);
  }

  /** For the module that opened it. */
  async close(): Promise<void> {
    this.cache.close();
    await this.deps.registry.close();
  }

  private async write(manager: EntityManager, changes: UpdateSettingsRequest): Promise<void> {
    const row = await manager.findOneOrFail(SettingEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
    const { openrouterApiKey, openaiApiKey, openrouterBaseUrl, openaiBaseUrl, ...plain } = changes;
    Object.assign(row, presentFields(plain));
    this.setAccess(row, 'openrouter', openrouterApiKey, openrouterBaseUrl);
    this.setAccess(row, 'openai', openaiApiKey, openaiBaseUrl);
    await manager.save(row);
  }

  private setAccess(row: SettingEntity, id: ProviderId, givenKey?: string, givenUrl?: string): void {
    const stored = accessIn(row, id, this.deps.secrets);
    const key = keyChange(`${id}ApiKey`, givenKey, stored.apiKey);
    const baseUrl = givenUrl === undefined ? stored.baseUrl : parseBaseUrl(`${id}BaseUrl`, givenUrl);
    // Else whoever may change the address could have a key that nobody can read sent to a host of their own.
    if (baseUrl !== stored.baseUrl && key === undefined && sealedKey(row, id) !== null) {
      throw invalidField(`${id}ApiKey`, 'The base URL has changed: please enter the API key again.');
    }
    row[`${id}BaseUrl`] = baseUrl;
    if (key !== undefined) row[`${id}ApiKeySealed`] = key === null ? null : this.deps.secrets.seal(key);
  }

  private async read(): Promise<SettingEntity> {
    const row = await this.rows.findOneByOrFail({ id: 1 });
    const { env, registry, secrets } = this.deps;
    registry.configure({
      openrouter: effectiveAccess(accessIn(row, 'openrouter', secrets), env.openrouter),
      openai: effectiveAccess(accessIn(row, 'openai', secrets), env.openai),
    });
    return row;
  }
}

const sealedKey = (row: SettingEntity, id: ProviderId): string | null => row[`${id}ApiKeySealed`];

function accessIn(row: SettingEntity, id: ProviderId, secrets: SecretBox): Access {
  const sealed = sealedKey(row, id);
  return { apiKey: sealed === null ? null : secrets.open(sealed), baseUrl: row[`${id}BaseUrl`] };
}
