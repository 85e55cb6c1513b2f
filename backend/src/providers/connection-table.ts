import type { ConnectionKind } from '@tanya/contract';
import { isConfigured, openProvider, type ProviderAccess } from './connection-provider.js';
import { ObservedProvider } from './observed-provider.js';
import type { Provider, ProviderTimings } from './provider.js';
import type { ProviderError } from './provider-error.js';
import { isKnownKind } from './provider-kinds.js';

/** The connections whose key and base URL are fields of the settings. */
export type ProviderId = 'openrouter' | 'openai';
export const PROVIDER_IDS: readonly ProviderId[] = ['openrouter', 'openai'];

export type ProviderConfig = Record<ProviderId, ProviderAccess>;

/** A row of the connections. A built-in one takes its key and base URL from the settings instead of `access`. */
export interface ConnectionConfig {
  id: number;
  kind: ConnectionKind;
  name: string;
  enabled: boolean;
  builtIn: ProviderId | null;
  access: ProviderAccess;
}

/** A connection with its open provider. */
export interface OpenConnection extends Omit<ConnectionConfig, 'id'> {
  /** null for a built-in connection before its row is read. */
  id: number | null;
  /** null while neither a key nor a base URL is set. */
  provider: Provider | null;
}

/** Receives the outcome of each call of a connection: null for a success. Must not throw. */
export type ConnectionListener = (connectionId: number, failure: ProviderError | null) => void;

const NAMES: Record<ProviderId, string> = { openrouter: 'OpenRouter', openai: 'OpenAI' };
const NO_ACCESS: ProviderAccess = { apiKey: null, baseUrl: null };

/**
 * The connections with their open providers. An unchanged connection keeps its provider. A changed or removed one is
 * replaced but not closed: its running answers finish, and its sockets close when they are idle.
 */
export class ConnectionTable {
  /** Set by the owner of the table. */
  listener: ConnectionListener = () => undefined;
  private connections: OpenConnection[] = [];
  private config: ProviderConfig = { openrouter: NO_ACCESS, openai: NO_ACCESS };
  private rows: readonly ConnectionConfig[] = [];

  constructor(private readonly timings: ProviderTimings) {
    this.connections = this.opened();
  }

  get all(): readonly OpenConnection[] {
    return this.connections;
  }

  builtIn(id: ProviderId): OpenConnection {
    return this.connections.find(({ builtIn }) => builtIn === id)!;
  }

  find(connectionId: number): OpenConnection | undefined {
    return this.connections.find(({ id }) => id === connectionId);
  }

  /** Applies new keys and base URLs of the built-in connections. */
  configure(config: ProviderConfig): void {
    this.config = config;
    this.connections = this.opened();
  }

  /** Applies the rows. Those of an unknown kind, stored by a later version, are left out. */
  setRows(rows: readonly ConnectionConfig[]): void {
    this.rows = rows.filter(({ kind }) => isKnownKind(kind));
    this.connections = this.opened();
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(async ({ provider }) => provider?.close()));
  }

  private opened(): OpenConnection[] {
    const missing = PROVIDER_IDS.filter((id) => !this.rows.some(({ builtIn }) => builtIn === id)).map((id) => ({
      id: null,
      kind: id,
      name: NAMES[id],
      enabled: true,
      builtIn: id,
      access: NO_ACCESS,
    }));
    return [...missing, ...this.rows].map((row) => this.open(row));
  }

  private open(row: Omit<OpenConnection, 'provider'>): OpenConnection {
    const given = row.builtIn === null ? row.access : this.config[row.builtIn];
    const access = { apiKey: given.apiKey || null, baseUrl: given.baseUrl || null };
    const before = this.connections.find((each) =>
      row.builtIn === null ? each.id === row.id : each.builtIn === row.builtIn,
    );
    if (before?.kind === row.kind && isSame(before.access, access)) {
      return { ...row, access, provider: before.provider };
    }
    return { ...row, access, provider: isConfigured(access) ? this.connect(row, access) : null };
  }

  private connect({ id, kind, builtIn }: Omit<OpenConnection, 'provider'>, access: ProviderAccess): Provider {
    return new ObservedProvider(openProvider(kind, access, this.timings), (failure) => {
      const connectionId = builtIn === null ? id : this.builtIn(builtIn).id;
      if (connectionId !== null) this.listener(connectionId, failure);
    });
  }
}

const isSame = (a: ProviderAccess, b: ProviderAccess): boolean => a.apiKey === b.apiKey && a.baseUrl === b.baseUrl;

/** Whether a connection may answer. */
export const isUsable = (
  connection: OpenConnection | undefined,
): connection is OpenConnection & { provider: Provider } =>
  connection !== undefined && connection.enabled && connection.provider !== null;
