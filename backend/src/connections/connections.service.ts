import {
  type CreateConnectionRequest,
  LIMITS,
  type ProviderConnection,
  type UpdateConnectionRequest,
} from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { changeOfRow, recordChange } from '../audit/audit-log.js';
import { ModelsService } from '../models/models.service.js';
import { isForeignKeyViolation, orConflict } from '../platform/database/constraint-violations.js';
import { statement } from '../platform/database/named-parameters.js';
import { nextId } from '../platform/database/next-id.js';
import { type SharedTable, SharedTables } from '../platform/bus/shared-tables.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { readBack } from '../platform/resilience/storage-retries.js';
import { MAX_ADAPTED_MODELS, MAX_CHANGES } from '../providers/upstream/adaptation-memory.js';
import { isConfigured } from '../providers/provider-kinds.js';
import { type ProviderAccess, type ProviderId, ProviderRegistry } from '../providers/registry.js';
import { type AccessPair, ConnectionAccess } from './connection-access.js';
import { toConnection } from './connection-view.js';
import type { GivenAccess, StoredAccess } from './provider-access.js';
import { ProviderConnectionEntity, UNIQUE_NAME } from './provider-connection.entity.js';

export type SavedConnection = Pick<ProviderConnectionEntity, 'id' | 'kind' | 'builtIn'> & AccessPair;

/** New key and base URL of a built-in connection, and the names of the fields that they come from. */
export interface BuiltInChange {
  given: GivenAccess;
  fields: Record<keyof ProviderAccess, string>;
}

/**
 * Adds to the changes that other nodes have learnt; the latest stay. Of another model once the connection has the most:
 * nothing. `updated_at` stays, because no admin has changed anything.
 */
const ADD_ADAPTATION = statement<{ id: number; model: string; changes: string[]; most: number; mostModels: number }>(`
update provider_connection set adaptations = adaptations || jsonb_build_object(:model::text, jsonb_build_object(
  'changes', (select jsonb_agg(name order by place) from (
    select name, max(place) as place from (
      select name, place - 1000 as place
      from jsonb_array_elements_text(coalesce(adaptations #> array[:model::text, 'changes'], '[]'))
        with ordinality as known (name, place)
      union all select name, place from unnest(:changes::text[]) with ordinality as learnt (name, place)
    ) as changes group by name order by max(place) desc limit :most::int
  ) as latest),
  'since', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
where id = :id::int and (adaptations ? :model::text or
  (select count(*) from jsonb_object_keys(adaptations)) < :mostModels::int)`);

/** The columns of `ConnectionHealth`. */
const OUTCOMES = ['last_error', 'last_error_at', 'last_success_at', 'failing_since'];

const NOTHING_STORED = { apiKeySealed: null, baseUrl: null, adaptations: {} };

const NUMBER_ROWS = `update provider_connection set position = place
from unnest($1::int[]) with ordinality as given (id, place) where provider_connection.id = given.id`;

/** The connections and their rows, which configure the provider registry of every node. */
@Injectable()
export class ConnectionsService implements OnModuleInit {
  private readonly cache: SharedTable<ProviderConnectionEntity[]>;
  /** The same rows without what is learnt of a server, which changes nothing for pages, models and waiting answers. */
  private readonly offer: SharedTable<null>;

  constructor(
    @InjectRepository(ProviderConnectionEntity) private readonly rows: Repository<ProviderConnectionEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly models: ModelsService,
    private readonly registry: ProviderRegistry,
    private readonly access: ConnectionAccess,
    tables: SharedTables,
  ) {
    this.cache = tables.share([{ table: 'provider_connection', without: OUTCOMES }], () => this.read());
    // After `cache`: tables are read in this order.
    this.offer = tables.share(
      [{ table: 'provider_connection', without: [...OUTCOMES, 'adaptations'] }],
      async () => null,
    );
    this.offer.onChanged(() => models.connectionsChanged());
    registry.observeAdaptations((id, model, changes) => void this.addAdaptation(id, model, changes));
  }

  async onModuleInit(): Promise<void> {
    await this.cache.load();
    await this.offer.load();
  }

  async list(): Promise<ProviderConnection[]> {
    return (await this.ordered(this.rows.manager)).map((row) => this.view(row));
  }

  /** @throws AppError `not_found` */
  async saved(id: number): Promise<SavedConnection> {
    const row = await this.rows.findOneBy({ id });
    if (row === null) throw new AppError('not_found');
    return this.opened(row);
  }

  /** The enabled connections whose last calls failed, since the first of these failures. */
  async failing(): Promise<{ id: number; name: string; failingSince: Date }[]> {
    const rows = await this.rows.findBy({ enabled: true, failingSince: Not(IsNull()) });
    return rows.map(({ id, name, failingSince }) => ({ id, name, failingSince: failingSince! }));
  }

  /** undefined for a connection that is deleted or switched off. */
  nameOf(id: number): string | undefined {
    return this.cache.value.find((row) => row.id === id && row.enabled)?.name;
  }

  /** Stored key and base URL of a built-in connection, without those of the environment. */
  storedOf(builtIn: ProviderId): StoredAccess {
    return this.access.stored(this.cache.value.find((row) => row.builtIn === builtIn)!);
  }

  /** @throws AppError `not_found`, `conflict` for a connection that cannot list its models */
  async requireCatalogue(id: number): Promise<void> {
    const { kind, inUse } = await this.saved(id);
    // OpenRouter's list is public.
    if (isConfigured(inUse) || kind === 'openrouter') return;
    throw new AppError('conflict', { reason: 'connection_access' });
  }

  /** @throws AppError `invalid`, `conflict` for a name in use or too many connections */
  async create({ kind, name, enabled, ...given }: CreateConnectionRequest): Promise<ProviderConnection> {
    const row = this.rows.create({ kind, name, enabled: enabled ?? true, builtIn: null, ...NOTHING_STORED });
    await this.change(async (manager) => {
      // The key is sealed for its row.
      row.id = await nextId(manager, 'provider_connection');
      this.access.apply(row, given);
      const all = await this.lockAll(manager);
      if (all.length >= LIMITS.connections) {
        throw new AppError('conflict', { reason: 'connections', params: { max: LIMITS.connections } });
      }
      row.position = all.length + 1;
      await manager.insert(ProviderConnectionEntity, row);
      await recordChange(manager, changeOfRow('connection.create', null, row, audited));
    });
    return this.one(row.id);
  }

  /** @throws AppError `not_found`, `invalid`, `conflict` for a name in use */
  async update(id: number, { position, ...changes }: UpdateConnectionRequest): Promise<ProviderConnection> {
    await this.change(async (manager) => {
      const all = await this.lockAll(manager);
      const row = all.find((each) => each.id === id);
      if (row === undefined) throw new AppError('not_found');
      const before = { ...row };
      row.name = changes.name ?? row.name;
      row.enabled = changes.enabled ?? row.enabled;
      this.access.apply(row, changes);
      if (row.baseUrl !== before.baseUrl) row.adaptations = {};
      await manager.save(row);
      if (position !== undefined) await this.place(manager, moved(all, row, position));
      await recordChange(
        manager,
        changeOfRow('connection.update', before, { ...row, position: position ?? row.position }, audited),
      );
    });
    return this.one(id);
  }

  /**
   * Changes key and base URL of built-in connections in the caller's transaction.
   * @returns whether one has changed: the caller then calls `announce` after the commit
   * @throws AppError `invalid`
   */
  async changeBuiltIn(manager: EntityManager, changes: Record<ProviderId, BuiltInChange>): Promise<boolean> {
    const all = await this.lockAll(manager);
    let hasChanged = false;
    for (const row of all) {
      if (row.builtIn === null) continue;
      const before = { ...row };
      const { given, fields } = changes[row.builtIn];
      this.access.apply(row, given, fields);
      if (row.baseUrl !== before.baseUrl) row.adaptations = {};
      if (row.baseUrl === before.baseUrl && row.apiKeySealed === before.apiKeySealed) continue;
      await manager.save(row);
      await recordChange(manager, changeOfRow('connection.update', before, row, audited));
      hasChanged = true;
    }
    return hasChanged;
  }

  /** @throws AppError `not_found` */
  async forgetAdaptations(id: number): Promise<ProviderConnection> {
    await this.change(async (manager) => {
      const row = (await this.lockAll(manager)).find((each) => each.id === id);
      if (row === undefined) throw new AppError('not_found');
      const { adaptations } = row;
      row.adaptations = {};
      await manager.save(row);
      const target = { id, name: row.name };
      const after = { adaptations: {} };
      await recordChange(manager, { action: 'connection.update', target, before: { adaptations }, after });
    });
    return this.one(id);
  }

  /** Brings a committed change into effect on every node. */
  announce(): Promise<void> {
    return this.cache.announce();
  }

  /** Reads the connections if they differ. @throws AppError `storage_unavailable` */
  load(): Promise<void> {
    return this.cache.load();
  }

  /** Calls `listener` on every node after each change of the connections. */
  onChanged(listener: () => void | Promise<void>): void {
    this.offer.onChanged(listener);
  }

  /** @throws AppError `not_found`, `conflict` for a built-in connection, `connection_in_use` while models name it */
  async delete(id: number): Promise<void> {
    try {
      await this.change(async (manager) => {
        const all = await this.lockAll(manager);
        const row = all.find((each) => each.id === id);
        if (row === undefined) throw new AppError('not_found');
        if (row.builtIn !== null) {
          throw new AppError('conflict', { reason: 'connection_built_in' });
        }
        await manager.delete(ProviderConnectionEntity, { id });
        await recordChange(manager, changeOfRow('connection.delete', row, null, audited));
        await this.place(
          manager,
          all.filter((each) => each !== row),
        );
      });
    } catch (error) {
      // Models that fell back to another provider would send their conversations elsewhere without notice.
      if (isForeignKeyViolation(error)) throw new AppError('connection_in_use', { cause: error });
      throw error;
    }
  }

  /** Never throws: without Postgres this node alone remembers it, until its connections are read again. */
  private async addAdaptation(id: number, model: string, changes: readonly string[]): Promise<void> {
    const parameters = { id, model, changes: [...changes], most: MAX_CHANGES, mostModels: MAX_ADAPTED_MODELS };
    try {
      await this.rows.manager.query(...ADD_ADAPTATION(parameters));
      this.logger.info({ connectionId: id, modelId: model, changes }, 'request changed for its server; remembering it');
    } catch (error) {
      this.logger.warn(
        { err: error, connectionId: id },
        'changes of requests not stored; remembering them on this node',
      );
    }
  }

  /** Runs a change in a transaction and makes every node reload. */
  private async change(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await orConflict(UNIQUE_NAME, 'connection_name', () => this.rows.manager.transaction(work));
    await this.announce();
  }

  /** Changes of several admins run one after another. */
  private async lockAll(manager: EntityManager): Promise<ProviderConnectionEntity[]> {
    await manager.query('lock table provider_connection in share row exclusive mode');
    return this.ordered(manager);
  }

  private ordered(manager: EntityManager): Promise<ProviderConnectionEntity[]> {
    return manager.find(ProviderConnectionEntity, { order: { position: 'ASC', id: 'ASC' } });
  }

  /** Numbers the rows from 1 in the given order. */
  private async place(manager: EntityManager, order: ProviderConnectionEntity[]): Promise<void> {
    await manager.query(NUMBER_ROWS, [order.map(({ id }) => id)]);
  }

  private async one(id: number): Promise<ProviderConnection> {
    const row = await readBack(() => this.rows.findOneBy({ id }));
    if (row === null) throw new AppError('not_found');
    return this.view(row);
  }

  private view(row: ProviderConnectionEntity): ProviderConnection {
    return toConnection(row, this.opened(row), {
      modelCount: this.models.countOf(row.id),
      answersUnbound: this.registry.answersUnbound(row.id),
    });
  }

  private async read(): Promise<ProviderConnectionEntity[]> {
    const rows = await this.ordered(this.rows.manager);
    this.registry.setConnections(
      rows.map((row) => {
        const { id, kind, name, enabled, builtIn } = row;
        const stored = Object.entries(row.adaptations).map(([model, { changes }]) => [model, changes]);
        const adaptations = Object.fromEntries(stored) as Record<string, string[]>;
        return { id, kind, name, enabled, builtIn, adaptations, access: this.opened(row).inUse };
      }),
    );
    return rows;
  }

  private opened(row: ProviderConnectionEntity): SavedConnection {
    const stored = this.access.stored(row);
    return { id: row.id, kind: row.kind, builtIn: row.builtIn, stored, inUse: this.access.inUse(row, stored) };
  }
}

const audited = ({ kind, name, enabled, position, baseUrl, apiKeySealed }: ProviderConnectionEntity): object => ({
  kind,
  name,
  enabled,
  position,
  baseUrl,
  apiKeySealed,
});

/** The list with a row at another place; a place beyond the end is the last. */
function moved(
  all: ProviderConnectionEntity[],
  row: ProviderConnectionEntity,
  position: number,
): ProviderConnectionEntity[] {
  const others = all.filter((each) => each !== row);
  return [...others.slice(0, position - 1), row, ...others.slice(position - 1)];
}
