import { LINK_NAMES, TEXTS, type UpdateSettingsRequest } from '@tanya/contract';
import type { DataSource, EntityManager, Repository } from 'typeorm';
import { recordChange } from '../audit/audit-log.js';
import type { BuiltInChange, ConnectionsService } from '../connections/connections.service.js';
import type { Bus } from '../platform/bus/bus.js';
import type { Logger } from '../platform/observability/logging.js';
import { TableCache } from '../platform/database/table-cache.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { SecretBox } from '../platform/secrets/secret-box.js';
import { parseLink } from './product-links.js';
import { SettingEntity } from './setting.entity.js';
import { settingsChanged } from './settings-topics.js';
import { changeTools, type StoredSearch, storedSearch, unreadableSearchKeys } from './tool-settings.js';

/** The settings that other rooms read, without the keys. */
export type Settings = Readonly<Omit<SettingEntity, 'id' | 'braveApiKeySealed' | 'tavilyApiKeySealed'>>;

interface Dependencies {
  dataSource: DataSource;
  secrets: SecretBox;
  bus: Bus;
  logger: Logger;
  connections: ConnectionsService;
}

/**
 * The settings row, cached in process. `SettingsService.open` creates the row if needed and reads it once, so that `get` is
 * synchronous.
 */
export class SettingsService {
  private readonly rows: Repository<SettingEntity>;
  private readonly cache: TableCache<SettingEntity>;

  private constructor(private readonly deps: Dependencies) {
    this.rows = deps.dataSource.getRepository(SettingEntity);
    this.cache = new TableCache(() => this.rows.findOneByOrFail({ id: 1 }), deps.logger);
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
    const hasNewAccess = await this.deps.dataSource.transaction((manager) => this.write(manager, changes));
    // A key comes into effect before pages read the settings and models that depend on it.
    if (hasNewAccess) await this.deps.connections.announce();
    await this.cache.reload();
    await this.deps.bus.publish(settingsChanged, null);
  }

  /** Called by the module that opened the service. */
  close(): void {
    this.cache.close();
  }

  /** @returns whether key or base URL of a connection has changed */
  private async write(manager: EntityManager, changes: UpdateSettingsRequest): Promise<boolean> {
    const row = await manager.findOneOrFail(SettingEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
    const before = structuredClone({ ...row });
    const { openrouterApiKey, openaiApiKey, openrouterBaseUrl, openaiBaseUrl, ...others } = changes;
    const { builtInTools: _tools, searxngUrl: _url, braveApiKey: _brave, tavilyApiKey: _tavily, ...plain } = others;
    Object.assign(row, presentFields(plain));
    changeTools(row, changes, this.deps.secrets);
    for (const name of LINK_NAMES) {
      const link = changes[name];
      if (link !== undefined) row[name] = parseLink(name, link);
    }
    const after = { ...row, updatedAt: before.updatedAt };
    await manager.save(row);
    await recordChange(manager, { action: 'settings.update', target: { id: row.id, name: null }, before, after });
    const access = [openrouterApiKey, openrouterBaseUrl, openaiApiKey, openaiBaseUrl];
    if (access.every((field) => field === undefined)) return false;
    return this.deps.connections.changeBuiltIn(manager, {
      openrouter: builtInChange('openrouter', openrouterApiKey, openrouterBaseUrl),
      openai: builtInChange('openai', openaiApiKey, openaiBaseUrl),
    });
  }
}

const builtInChange = (prefix: string, apiKey: string | undefined, baseUrl: string | undefined): BuiltInChange => ({
  given: { apiKey, baseUrl },
  fields: { apiKey: `${prefix}ApiKey`, baseUrl: `${prefix}BaseUrl` },
});
