import { LINK_NAMES, TEXTS, type UpdateSettingsRequest } from '@tanya/contract';
import type { DataSource, EntityManager, Repository } from 'typeorm';
import { recordChange } from '../audit/audit-log.js';
import type { Env } from '../config/env.js';
import type { Bus } from '../platform/bus/bus.js';
import type { Logger } from '../platform/observability/logging.js';
import { TableCache } from '../platform/database/table-cache.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { SecretBox } from '../platform/secrets/secret-box.js';
import type { ProviderAccess, ProviderId, ProviderRegistry } from '../providers/registry.js';
import { accessChange, effectiveAccess, type GivenAccess, type StoredAccess } from './provider-access.js';
import { parseLink } from './product-links.js';
import { settingCell, SettingEntity } from './setting.entity.js';
import { settingsChanged } from './settings-topics.js';
import { changeTools, type StoredSearch, storedSearch, unreadableSearchKeys } from './tool-settings.js';

/** The settings that other rooms read. Keys and base URLs are excluded; only the provider registry gets them. */
export type Settings = Readonly<
  Omit<
    SettingEntity,
    | 'id'
    | 'openrouterApiKeySealed'
    | 'openaiApiKeySealed'
    | 'openrouterBaseUrl'
    | 'openaiBaseUrl'
    | 'braveApiKeySealed'
    | 'tavilyApiKeySealed'
  >
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
 * The settings row, cached in process, and the provider registry that the row configures. `SettingsService.open` creates
 * the row if needed and reads it once, so that `get` is synchronous.
 */
export class SettingsService {
  private readonly rows: Repository<SettingEntity>;
  private readonly cache: TableCache<SettingEntity>;

  private constructor(private readonly deps: Dependencies) {
    this.rows = deps.dataSource.getRepository(SettingEntity);
    this.cache = new TableCache(() => this.read(), deps.logger);
    deps.bus.subscribe(settingsChanged, () => this.cache.reload());
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

  /** Key and base URL of a provider from the settings, without those of the environment. */
  accessOf(provider: ProviderId): StoredAccess {
    return accessIn(this.cache.value, provider, this.deps.secrets);
  }

  /** The access in effect while `stored` is in the settings. */
  inEffect(provider: ProviderId, stored: ProviderAccess): ProviderAccess {
    return effectiveAccess(stored, this.deps.env[provider]);
  }

  /** Providers whose stored key was sealed under another APP_SECRET. */
  unreadableKeys(): ProviderId[] {
    return PROVIDERS.filter((id) => sealedKey(this.cache.value, id) !== null && this.accessOf(id).apiKey === null);
  }

  /** The search services of the settings, with their keys. */
  search(): StoredSearch {
    return storedSearch(this.cache.value, this.deps.secrets);
  }

  /** Names of the search services whose stored key was sealed under another APP_SECRET. */
  unreadableSearchKeys(): string[] {
    return unreadableSearchKeys(this.cache.value, this.deps.secrets);
  }

  /** @throws AppError `invalid` for a key, base URL or link that is not valid */
  async update(changes: UpdateSettingsRequest): Promise<void> {
    await this.deps.dataSource.transaction((manager) => this.write(manager, changes));
    await this.announce();
  }

  /** Changes key and base URL of a provider in a transaction of the caller, who calls `announce` after the commit. */
  async updateAccess(manager: EntityManager, id: ProviderId, given: GivenAccess): Promise<void> {
    const row = await lockedRow(manager);
    const before = { ...row };
    this.setAccess(row, id, given, { apiKey: 'apiKey', baseUrl: 'baseUrl' });
    await save(manager, before, row);
  }

  /** Makes every node read the settings again. */
  async announce(): Promise<void> {
    await this.cache.reload();
    await this.deps.bus.publish(settingsChanged, null);
  }

  /** Called by the module that opened the service. */
  async close(): Promise<void> {
    this.cache.close();
    await this.deps.registry.close();
  }

  private async write(manager: EntityManager, changes: UpdateSettingsRequest): Promise<void> {
    const row = await lockedRow(manager);
    const before = structuredClone({ ...row });
    const { openrouterApiKey, openaiApiKey, openrouterBaseUrl, openaiBaseUrl, ...others } = changes;
    const { builtInTools: _tools, searxngUrl: _url, braveApiKey: _brave, tavilyApiKey: _tavily, ...plain } = others;
    Object.assign(row, presentFields(plain));
    changeTools(row, changes, this.deps.secrets);
    for (const name of LINK_NAMES) {
      const link = changes[name];
      if (link !== undefined) row[name] = parseLink(name, link);
    }
    const given = {
      openrouter: { apiKey: openrouterApiKey, baseUrl: openrouterBaseUrl },
      openai: { apiKey: openaiApiKey, baseUrl: openaiBaseUrl },
    };
    for (const id of PROVIDERS) {
      this.setAccess(row, id, given[id], { apiKey: `${id}ApiKey`, baseUrl: `${id}BaseUrl` });
    }
    await save(manager, before, row);
  }

  private setAccess(
    row: SettingEntity,
    id: ProviderId,
    given: GivenAccess,
    fields: Record<keyof ProviderAccess, string>,
  ): void {
    const { apiKey, baseUrl } = accessChange(fields, given, accessIn(row, id, this.deps.secrets));
    row[`${id}BaseUrl`] = baseUrl;
    if (apiKey === undefined) return;
    row[`${id}ApiKeySealed`] = apiKey === null ? null : this.deps.secrets.seal(apiKey, keyCell(id));
  }

  private async read(): Promise<SettingEntity> {
    const row = await this.rows.findOneByOrFail({ id: 1 });
    const { registry, secrets } = this.deps;
    registry.configure({
      openrouter: this.inEffect('openrouter', accessIn(row, 'openrouter', secrets)),
      openai: this.inEffect('openai', accessIn(row, 'openai', secrets)),
    });
    return row;
  }
}

const keyCell = (id: ProviderId) => settingCell(`${id}_api_key_sealed`);

const sealedKey = (row: SettingEntity, id: ProviderId): string | null => row[`${id}ApiKeySealed`];

const lockedRow = (manager: EntityManager): Promise<SettingEntity> =>
  manager.findOneOrFail(SettingEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });

/** Saves the settings and records their change. */
async function save(manager: EntityManager, before: SettingEntity, row: SettingEntity): Promise<void> {
  const after = { ...row, updatedAt: before.updatedAt };
  await manager.save(row);
  await recordChange(manager, { action: 'settings.update', target: { id: row.id, name: null }, before, after });
}

function accessIn(row: SettingEntity, id: ProviderId, secrets: SecretBox): StoredAccess {
  const sealed = sealedKey(row, id);
  const apiKey = sealed === null ? null : secrets.open(sealed, keyCell(id));
  return { apiKey, baseUrl: row[`${id}BaseUrl`], hasKey: sealed !== null };
}
