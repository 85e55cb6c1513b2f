import {
  CONNECTION_FAULTS,
  type Catalogue,
  type CatalogueItem,
  type ConnectionKind,
  type ConnectionTestResult,
  IMAGE_MODEL_IDS,
  type ModelKind,
} from '@tanya/contract';
import { CatalogueCache } from './catalogue-cache.js';
import {
  type AdaptationListener,
  type ConnectionConfig,
  type ConnectionListener,
  ConnectionTable,
  isUsable,
  type OpenConnection,
  type ProviderId,
  type UsableConnection,
} from './connection-table.js';
import { testConnection } from './connection-test.js';
import { DemoProvider } from './demo/demo.provider.js';
import type { LocalServer } from './local-server.js';
import { PROVIDER_TIMINGS, type Provider, type ProviderModel, type ProviderTimings } from './provider.js';
import { ProviderError } from './provider-error.js';
import { openProvider, PROVIDER_KINDS, type ProviderAccess } from './provider-kinds.js';
import { OpenAiCompatibleProvider } from './upstream/openai-compatible.provider.js';

export type { ConnectionConfig, ProviderAccess, ProviderId };

export interface RegistryOptions {
  timings?: Partial<ProviderTimings>;
  /** Tokens per second of demo answers. */
  demoPace?: number;
  localServer: LocalServer | null;
}

/** A connection, as logs and lists of failures name it. */
export type ConnectionName = Pick<ConnectionConfig, 'id' | 'name'>;

/** A provider, and the model id in its own form. */
export interface ChosenProvider {
  provider: Provider;
  model: string;
  /** null for a local server and the demo. */
  connection: ConnectionName | null;
}

/** A model as the choice of a provider sees it. */
export interface RoutedModel {
  /** The id that the provider knows. */
  upstreamId: string;
  /** null chooses by the configured connections. */
  connectionId: number | null;
  kind: ModelKind;
}

/**
 * Holds the connections and selects a provider per request. A model with a connection uses that one alone. For the
 * others, chat uses OpenRouter, else OpenAI, else the model server on this machine, else the demo; `gpt-image-1` uses OpenAI,
 * else the demo. A connection can be used if it is enabled and has a key or a base URL.
 */
export class ProviderRegistry {
  private readonly timings: ProviderTimings;
  private readonly demoProvider: DemoProvider;
  private readonly local: OpenAiCompatibleProvider | null;
  private readonly table: ConnectionTable;
  private readonly catalogues = new CatalogueCache();
  /** Lists OpenRouter's models, which are public, while OpenRouter is not configured. */
  private readonly publicCatalogue: Provider;

  constructor(private readonly options: RegistryOptions) {
    this.timings = { ...PROVIDER_TIMINGS, ...options.timings };
    this.demoProvider = new DemoProvider({ pace: options.demoPace });
    this.local = options.localServer ? openLocal(options.localServer, this.timings) : null;
    this.table = new ConnectionTable(this.timings);
    this.publicCatalogue = openProvider('openrouter', { apiKey: null, baseUrl: null }, this.timings);
  }

  /** True if the built-in demo is the only provider. */
  get demo(): boolean {
    return this.local === null && !this.table.all.some(isUsable);
  }

  /** Models of the server on this machine; empty if OpenRouter or OpenAI is configured. */
  get localModels(): ProviderModel[] {
    return this.table.forUnbound === undefined ? (this.options.localServer?.models ?? []) : [];
  }

  setConnections(rows: readonly ConnectionConfig[]): void {
    this.table.setRows(rows);
  }

  /** Sets the listener of the outcomes of calls. */
  observe(listener: ConnectionListener): void {
    this.table.listener = listener;
  }

  /** Sets the listener of the changes that servers demand. */
  observeAdaptations(listener: AdaptationListener): void {
    this.table.adaptationListener = listener;
  }

  /** True if chats of models that name no connection go to this one. */
  answersUnbound(connectionId: number): boolean {
    return this.table.forUnbound?.id === connectionId;
  }

  /** True if the demo would answer. */
  isDemo(model: RoutedModel): boolean {
    return this.answererOf(model) === 'demo';
  }

  /** True if no connection answers: the demo or the server on this machine does. */
  isFree(model: RoutedModel): boolean {
    return typeof this.answererOf(model) === 'string';
  }

  /** Whether a connection of a kind can be used. */
  hasConnection(kind: ConnectionKind): boolean {
    return this.table.all.some((connection) => connection.kind === kind && isUsable(connection));
  }

  /** Name of the provider that answers chat with a model; null for a connection that is not available. */
  chatProvider(connectionId: number | null): string | null {
    return this.isAvailable(connectionId)
      ? this.route({ upstreamId: '', connectionId, kind: 'chat' }).provider.name
      : null;
  }

  /** The tools that this server runs, and those that the provider of a model does. */
  withoutForeignTools<T extends { hosted?: { provider: string } }>(
    { connectionId }: Pick<RoutedModel, 'connectionId'>,
    tools: readonly T[],
  ): T[] {
    return tools.filter(({ hosted }) => hosted === undefined || hosted.provider === this.chatProvider(connectionId));
  }

  /** Whether there is such a connection, usable or not. */
  isKnown(connectionId: number): boolean {
    return this.table.find(connectionId) !== undefined;
  }

  /** False for a connection that is disabled, not configured or unknown to this node. */
  isAvailable(connectionId: number | null): boolean {
    return connectionId === null || isUsable(this.table.find(connectionId));
  }

  /** Who answers a model now. @throws ProviderError when no connection is available */
  route(model: RoutedModel): ChosenProvider {
    const { upstreamId, connectionId } = model;
    const answerer = this.answererOf(model);
    if (answerer === null) throw new ProviderError('provider_auth', { adminMessage: this.faultOf(connectionId) });
    if (answerer === 'demo') return { provider: this.demoProvider, model: upstreamId, connection: null };
    if (answerer === 'local') return { provider: this.local!, model: this.localModelFor(upstreamId), connection: null };
    const { provider, kind, id, name } = answerer;
    return { provider, model: PROVIDER_KINDS[kind].ownModelId(upstreamId), connection: { id, name } };
  }

  /** Whether a connection can answer requests for embeddings or transcriptions. */
  offersCalls(connectionId: number | null): boolean {
    return connectionId === null ? this.callConnections().length > 0 : this.isAvailable(connectionId);
  }

  /** The models of a connection, OpenRouter's by default; cached for five minutes. @throws ProviderError */
  async catalogue(connectionId: number | null = null): Promise<Catalogue> {
    return this.catalogues.read(this.catalogueProvider(connectionId));
  }

  /**
   * Whether the connection that answers a model lists it; null where its list cannot tell: the demo, an empty list, and
   * embeddings and transcriptions at OpenRouter, whose list has chat models alone.
   * @throws ProviderError when the list cannot be read
   */
  async isListed(model: RoutedModel): Promise<boolean | null> {
    const { upstreamId, connectionId, kind } = model;
    const connection = this.answererOf(model);
    if (connection === 'local') return this.isLocal(upstreamId);
    if (connection === null || connection === 'demo') return null;
    if (connection.kind === 'openrouter' && kind !== 'chat') return null;
    const listed = await this.catalogues.byId(this.catalogueProvider(connectionId ?? connection.id));
    const own = PROVIDER_KINDS[connection.kind].ownModelId(upstreamId);
    // OpenRouter's suffixes, as in `:nitro`, choose among the providers of one model.
    const ids = connection.kind === 'openrouter' ? [own, own.replace(/:[^:/]+$/, '')] : [own];
    return listed.size === 0 ? null : ids.some((id) => listed.has(id));
  }

  /** An entry of a catalogue that was read before; undefined without one. */
  cataloguedModel(modelId: string, connectionId: number | null): CatalogueItem | undefined {
    const connection = connectionId === null ? this.table.builtIn('openrouter') : this.table.find(connectionId);
    return this.catalogues.find(connection?.provider ?? this.publicCatalogue, modelId);
  }

  /** Tests a connection. Failures are in the result. */
  test(kind: ConnectionKind, access: ProviderAccess): Promise<ConnectionTestResult> {
    return testConnection(kind, access, this.timings);
  }

  testConnection(id: ProviderId): Promise<ConnectionTestResult> {
    return this.test(id, this.table.builtIn(id)?.access ?? { apiKey: null, baseUrl: null });
  }

  /** Closes all connections after running answers have finished. */
  async close(): Promise<void> {
    await Promise.all([this.table.close(), this.local?.close(), this.publicCatalogue.close()]);
  }

  /**
   * The connection that answers a model, the server on this machine or the demo; null for none. A model with a connection uses
   * that one alone. Of the others, chat goes to the built-in connections, then to the server on this machine, and
   * `gpt-image-1` to OpenAI. Any other kind goes to OpenRouter first where the id has a maker's prefix, else to OpenAI
   * first, then to the connections in their order. The demo chats and draws while nobody else can.
   */
  private answererOf({ upstreamId, connectionId, kind }: RoutedModel): UsableConnection | 'local' | 'demo' | null {
    if (connectionId !== null) {
      const connection = this.table.find(connectionId);
      return isUsable(connection) ? connection : null;
    }
    if (kind === 'chat') return this.table.forUnbound ?? (this.local === null ? 'demo' : 'local');
    if (kind === 'image') return this.imageConnection(upstreamId) ?? 'demo';
    return this.callConnection(upstreamId) ?? null;
  }

  /** Whether the server on this machine has a model, with or without a maker's prefix. */
  private isLocal(modelId: string): boolean {
    const bare = modelId.slice(modelId.indexOf('/') + 1);
    return this.localModels.some(({ id }) => id === modelId || id === bare);
  }

  private imageConnection(modelId: string) {
    if (!IMAGE_MODEL_IDS.includes(modelId)) return this.callConnection(modelId);
    const openai = this.table.builtIn('openai');
    return isUsable(openai) ? openai : undefined;
  }

  private callConnection(modelId: string) {
    const first = modelId.includes('/') ? 'openrouter' : 'openai';
    return this.callConnections().toSorted((a, b) => Number(b.kind === first) - Number(a.kind === first))[0];
  }

  private callConnections() {
    return this.table.all.filter(isUsable);
  }

  /** Why no connection answers. */
  private faultOf(connectionId: number | null): string {
    return connectionId === null ? CONNECTION_FAULTS.not_configured : unusableBecause(this.table.find(connectionId));
  }

  /** Also of a disabled connection: its models can be imported before it answers. */
  private catalogueProvider(connectionId: number | null): Provider {
    const connection = connectionId === null ? this.table.builtIn('openrouter') : this.table.find(connectionId);
    if (connection?.provider) return connection.provider;
    if (connection?.kind === 'openrouter') return this.publicCatalogue;
    throw new ProviderError('provider_auth', { adminMessage: unusableBecause(connection) });
  }

  /** Resolves a model id with or without a maker's prefix; the server's first model stands in for an unknown one. */
  private localModelFor(modelId: string): string {
    const ids = this.localModels.map(({ id }) => id);
    const bare = modelId.slice(modelId.indexOf('/') + 1);
    return [modelId, bare].find((id) => ids.includes(id)) ?? ids[0] ?? modelId;
  }
}

function unusableBecause(connection: OpenConnection | undefined): string {
  if (connection === undefined) return 'The connection of this model does not exist.';
  return connection.provider === null ? CONNECTION_FAULTS.not_configured : 'The connection is disabled.';
}

function openLocal({ baseUrl }: LocalServer, timings: ProviderTimings): OpenAiCompatibleProvider {
  return new OpenAiCompatibleProvider({ name: 'local', baseUrl, apiKey: null, mayBePrivate: true, timings });
}
