import { SETTINGS, settingsOf, type UpdateSettingsRequest } from '@tanya/contract';
import type { EntityManager, Repository } from 'typeorm';
import { recordChange } from '../audit/audit-log.js';
import type { BuiltInChange, ConnectionsService } from '../connections/connections.service.js';
import type { ModelsService } from '../models/models.service.js';
import { refuseField } from '../platform/errors/app-error.js';
import { readBack } from '../platform/resilience/storage-retries.js';
import type { SharedTable, SharedTables } from '../platform/bus/shared-tables.js';
import { type StoredSearch, storedSearch } from './search-settings.js';
import { maskedKey, openKey, SETTING_KEYS, type SettingKey, writeKeys } from './setting-keys.js';
import { SettingEntity } from './setting.entity.js';
import { changesOf, type StoredSettings, withDefaults } from './stored-settings.js';
import type { Resources } from '../platform/platform.module.js';

/** The settings that other rooms read, without the keys. */
export interface Settings extends Readonly<StoredSettings> {
  readonly id: number;
  readonly updatedAt: Date;
}

interface Dependencies extends Pick<Resources, 'dataSource' | 'secrets'> {
  tables: SharedTables;
  connections: ConnectionsService;
  models: ModelsService;
}

type SettingsCheck = (manager: EntityManager, changes: Partial<StoredSettings>) => Promise<void>;

/**
 * The settings row, cached in process. `SettingsService.open` creates the row if needed and reads it once, so that `get` is
 * synchronous.
 */
export class SettingsService {
  private readonly rows: Repository<SettingEntity>;
  private readonly cache: SharedTable<{ row: SettingEntity; settings: Settings }>;

  private readonly checks: SettingsCheck[] = [];

  private constructor(private readonly deps: Dependencies) {
    this.rows = deps.dataSource.getRepository(SettingEntity);
    this.cache = deps.tables.share([{ table: 'setting' }], () => this.read());
  }

  static async open(deps: Dependencies): Promise<SettingsService> {
    const service = new SettingsService(deps);
    await service.rows.createQueryBuilder().insert().values({ id: 1 }).orIgnore().execute();
    await service.cache.load();
    return service;
  }

  get(): Settings {
    return this.cache.value.settings;
  }

  /** The settings as they are in the database; another node may have changed them just now. */
  async stored(manager: EntityManager): Promise<StoredSettings> {
    return withDefaults((await manager.findOneByOrFail(SettingEntity, { id: 1 })).changed);
  }

  /** Calls `listener` on every node after each change of the settings. */
  onChanged(listener: () => void | Promise<void>): void {
    this.cache.onChanged(listener);
  }

  search(): StoredSearch {
    const { row, settings } = this.cache.value;
    return storedSearch(row, settings, this.deps.secrets);
  }

  /**
   * Adds a check of changes by another room.
   * @param check runs in the transaction of each change, before it is stored, and refuses it with an AppError
   */
  addCheck(check: SettingsCheck): void {
    this.checks.push(check);
  }

  /** null without one, and for one that was sealed under another APP_SECRET. */
  alertWebhookSecret(): string | null {
    return openKey(this.cache.value.row, 'alertWebhookSecret', this.deps.secrets);
  }

  /** A key as admins see it. */
  maskedKey(key: SettingKey): string {
    return maskedKey(this.cache.value.row, key, this.deps.secrets);
  }

  /** The names of the services whose keys no listed APP_SECRET opens. */
  unreadableKeys(): string[] {
    const { row } = this.cache.value;
    const unreadable = SETTING_KEYS.filter(
      (key) => row[`${key}Sealed`] !== null && openKey(row, key, this.deps.secrets) === null,
    );
    return unreadable.map((key) => SETTINGS[key].service);
  }

  /**
   * @throws AppError `invalid` for a key, base URL, link or model that is not valid, `storage_unavailable` also for a change that
   *   is stored and that this node cannot read
   */
  async update(changes: UpdateSettingsRequest): Promise<void> {
    const hasNewAccess = await this.deps.dataSource.transaction((manager) => this.write(manager, changes));
    // A key comes into effect before pages read the settings and models that depend on it.
    if (hasNewAccess) await this.deps.connections.announce();
    await this.cache.announce();
    // The answer is made of what this node has, which is older where the announcement could not read what is stored.
    await readBack(async () => {
      if (hasNewAccess) await this.deps.connections.load();
      await this.cache.load();
    });
  }

  /** A model may have been disabled since it was chosen: only a new choice is checked. */
  private requireModels(changes: Partial<StoredSettings>): void {
    for (const name of settingsOf('model')) {
      const modelId = changes[name] ?? null;
      const model = modelId === null ? null : this.deps.models.find(modelId);
      const isUsable = model?.isEnabled && model.kind === SETTINGS[name].modelKind;
      if (modelId !== null && !isUsable) throw refuseField(name, 'model');
    }
  }

  private async read(): Promise<{ row: SettingEntity; settings: Settings }> {
    const row = await this.rows.findOneByOrFail({ id: 1 });
    return { row, settings: { ...withDefaults(row.changed), id: row.id, updatedAt: row.updatedAt } };
  }

  /** @returns whether key or base URL of a connection has changed */
  private async write(manager: EntityManager, update: UpdateSettingsRequest): Promise<boolean> {
    const row = await manager.findOneOrFail(SettingEntity, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
    const before = auditedValues(row);
    writeKeys(row, update, this.deps.secrets);
    const changes = changesOf(withDefaults(row.changed), update);
    this.requireModels(changes);
    for (const check of this.checks) await check(manager, changes);
    row.changed = { ...row.changed, ...changes };
    requireSecretAgain(before, row);
    await manager.save(row);
    const target = { id: row.id, name: null };
    await recordChange(manager, { action: 'settings.update', target, before, after: auditedValues(row) });
    const { openrouterApiKey, openrouterBaseUrl, openaiApiKey, openaiBaseUrl } = update;
    const access = [openrouterApiKey, openrouterBaseUrl, openaiApiKey, openaiBaseUrl];
    if (access.every((field) => field === undefined)) return false;
    return this.deps.connections.changeBuiltIn(manager, {
      openrouter: builtInChange('openrouter', openrouterApiKey, openrouterBaseUrl),
      openai: builtInChange('openai', openaiApiKey, openaiBaseUrl),
    });
  }
}

/** An admin, who cannot read the secret, could otherwise have alerts signed with it for another server. */
function requireSecretAgain(before: ReturnType<typeof auditedValues>, row: SettingEntity): void {
  const { alertWebhookUrl } = withDefaults(row.changed);
  const isElsewhere = alertWebhookUrl !== null && alertWebhookUrl !== before.alertWebhookUrl;
  const { alertWebhookSecretSealed } = row;
  if (isElsewhere && alertWebhookSecretSealed !== null && alertWebhookSecretSealed === before.alertWebhookSecretSealed)
    throw refuseField('alertWebhookSecret', 'webhook_secret');
}

const auditedValues = ({ changed, updatedAt: _, ...keys }: SettingEntity) => ({ ...withDefaults(changed), ...keys });

const builtInChange = (prefix: string, apiKey: string | undefined, baseUrl: string | undefined): BuiltInChange => ({
  given: { apiKey, baseUrl },
  fields: { apiKey: `${prefix}ApiKey`, baseUrl: `${prefix}BaseUrl` },
});
