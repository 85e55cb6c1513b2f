import type { ConnectionKind } from '@tanya/contract';
import { isConfigured, openProvider, type ProviderAccess } from './connection-provider.js';
import { ObservedProvider } from './observed-provider.js';
import type { Provider, ProviderTimings } from './provider.js';
import type { ProviderError } from './provider-error.js';
import { isKnownKind } from './provider-kinds.js';

/** The built-in connections, in the order in which they answer models without a connection. */
export type ProviderId = 'openrouter' | 'openai';
export const PROVIDER_IDS: readonly ProviderId[] = ['openrouter', 'openai'];

/** A row of the connections. */
export interface ConnectionConfig {
  id: number;
  kind: ConnectionKind;
  name: string;
  enabled: boolean;
  builtIn: ProviderId | null;
  /** Key and base URL in use. */
  access: ProviderAccess;
}

/** A connection with its open provider. */
export interface OpenConnection extends ConnectionConfig {
  /** null while neither a key nor a base URL is set. */
  provider: Provider | null;
}

export type UsableConnection = OpenConnection & { provider: Provider };

/** Receives the outcome of each call of a connection: null for a success. Must not throw. */
export type ConnectionListener = (connectionId: number, failure: ProviderError | null) => void;

/**
 * The connections with their open providers. An unchanged connection keeps its provider. A changed or removed one is
 * replaced but not closed: its running answers finish, and its sockets close when they are idle.
 */
export class ConnectionTable {
  /** Set by the owner of the table. */
  listener: ConnectionListener = () => undefined;
  private connections: OpenConnection[] = [];
  /** The built-in connection that answers models without a connection. */
  hosted: UsableConnection | undefined;

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
    this.hosted = PROVIDER_IDS.map((id) => this.builtIn(id)).find(isUsable);
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(async ({ provider }) => provider?.close()));
  }

  private opened(row: ConnectionConfig): OpenConnection {
    const access = { apiKey: row.access.apiKey || null, baseUrl: row.access.baseUrl || null };
    const before = this.find(row.id);
    if (before?.kind === row.kind && isSame(before.access, access)) {
      return { ...row, access, provider: before.provider };
    }
    return { ...row, access, provider: isConfigured(access) ? this.connect(row, access) : null };
  }

  private connect({ id, kind }: ConnectionConfig, access: ProviderAccess): Provider {
    return new ObservedProvider(openProvider(kind, access, this.timings), (failure) => this.listener(id, failure));
  }
}

const isSame = (a: ProviderAccess, b: ProviderAccess): boolean => a.apiKey === b.apiKey && a.baseUrl === b.baseUrl;

/** Whether a connection may answer. */
export const isUsable = (connection: OpenConnection | undefined): connection is UsableConnection =>
  connection !== undefined && connection.enabled && connection.provider !== null;
