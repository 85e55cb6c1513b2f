import type { ConnectionKind } from '@tanya/contract';
import { AdaptationMemory } from './upstream/adaptation-memory.js';
import type { Provider, ProviderTimings } from './provider.js';
import type { ProviderError } from './provider-error.js';
import { isConfigured, isKnownKind, isSameAccess, openProvider, type ProviderAccess } from './provider-kinds.js';

/** The built-in connections, in the order in which they answer models without a connection. */
export type ProviderId = 'openrouter' | 'openai';
const PROVIDER_IDS: readonly ProviderId[] = ['openrouter', 'openai'];

export interface ConnectionConfig {
  id: number;
  kind: ConnectionKind;
  name: string;
  enabled: boolean;
  builtIn: ProviderId | null;
  /** Key and base URL in use. */
  access: ProviderAccess;
  /** The changes that its server demands, by model in its own form. */
  adaptations: Readonly<Record<string, readonly string[]>>;
}

export interface OpenConnection extends ConnectionConfig {
  /** null while neither a key nor a base URL is set. */
  provider: Provider | null;
}

export type UsableConnection = OpenConnection & { provider: Provider };

/** Receives the outcome of each call of a connection: null for a success. Must not throw. */
export type ConnectionListener = (connectionId: number, failure: ProviderError | null) => void;

/** Receives the changes that a connection's server demands for a model, when new ones were learnt. Must not throw. */
export type AdaptationListener = (connectionId: number, model: string, changes: readonly string[]) => void;

/**
 * The connections with their open providers. An unchanged connection keeps its provider. A changed or removed one is
 * replaced but not closed: its running answers finish, and its sockets close when they are idle.
 */
export class ConnectionTable {
  /** Set by the owner of the table. */
  listener: ConnectionListener = () => undefined;
  /** Set by the owner of the table. */
  adaptationListener: AdaptationListener = () => undefined;
  private connections: OpenConnection[] = [];
  /** The built-in connection that answers models without a connection. */
  forUnbound: UsableConnection | undefined;
  private readonly memories = new Map<number, AdaptationMemory>();

  constructor(private readonly timings: ProviderTimings) {}

  get all(): readonly OpenConnection[] {
    return this.connections;
  }

  /** Undefined before the rows are read. */
  builtIn(id: ProviderId): OpenConnection | undefined {
    return this.connections.find(({ builtIn }) => builtIn === id);
  }

  find(connectionId: number): OpenConnection | undefined {
    return this.connections.find(({ id }) => id === connectionId);
  }

  /** Applies the rows. Those of an unknown kind, stored by a later version, are left out. */
  setRows(rows: readonly ConnectionConfig[]): void {
    this.connections = rows.filter(({ kind }) => isKnownKind(kind)).map((row) => this.opened(row));
    this.forUnbound = PROVIDER_IDS.map((id) => this.builtIn(id)).find(isUsable);
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(async ({ provider }) => provider?.close()));
  }

  private opened(row: ConnectionConfig): OpenConnection {
    const access = { apiKey: row.access.apiKey || null, baseUrl: row.access.baseUrl || null };
    const before = this.find(row.id);
    this.memoryOf(row.id).replace(row.adaptations);
    if (before?.kind === row.kind && isSameAccess(before.access, access)) {
      return { ...row, access, provider: before.provider };
    }
    return { ...row, access, provider: isConfigured(access) ? this.connect(row, access) : null };
  }

  private connect({ id, kind }: ConnectionConfig, access: ProviderAccess): Provider {
    const onOutcome = (failure: ProviderError | null): void => this.listener(id, failure);
    return openProvider(kind, access, this.timings, { memory: this.memoryOf(id), onOutcome });
  }

  private memoryOf(id: number): AdaptationMemory {
    const known = this.memories.get(id);
    if (known !== undefined) return known;
    const memory = new AdaptationMemory((model, changes) => this.adaptationListener(id, model, changes));
    this.memories.set(id, memory);
    return memory;
  }
}

/** Whether a connection may answer. */
export const isUsable = (connection: OpenConnection | undefined): connection is UsableConnection =>
  connection !== undefined && connection.enabled && connection.provider !== null;
