import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { McpSession, ServerAccess } from './mcp-session.js';

/** A session without calls for this long is closed. */
const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 60_000;

/** Open sessions of this node; beyond it the longest unused one is closed. */
const MAX_SESSIONS = 500;

interface Entry {
  access: ServerAccess;
  opening: Promise<McpSession>;
  isOpen: boolean;
  usedAt: number;
}

/** A session for a call. */
export interface UsableSession {
  session: McpSession;
  /** Whether the session was opened while the call waited for it: the server has then listed its tools again. */
  isNew: boolean;
}

/** The open MCP sessions of this node: one per server and user, used again by later calls. */
@Injectable()
export class McpSessions implements OnModuleDestroy {
  /** In the order of their last use. */
  private readonly entries = new Map<string, Entry>();
  private readonly timer = setInterval(() => this.closeIdle(), SWEEP_MS).unref();

  /**
   * The session of a key. A session with another address or other headers is replaced.
   * @param open makes a session; several callers wait for one
   */
  async get(key: string, access: ServerAccess, open: () => Promise<McpSession>): Promise<UsableSession> {
    const found = this.entries.get(key);
    if (found !== undefined && isSame(found.access, access)) {
      const isNew = !found.isOpen;
      this.use(key, found);
      return { session: await found.opening, isNew };
    }
    if (found !== undefined) this.drop(key, found);
    const entry = { access, opening: open(), isOpen: false, usedAt: performance.now() };
    this.use(key, entry);
    this.closeSurplus();
    try {
      const session = await entry.opening;
      entry.isOpen = true;
      return { session, isNew: true };
    } catch (error) {
      if (this.entries.get(key) === entry) this.entries.delete(key);
      throw error;
    }
  }

  /** Closes a session that failed, unless another one has replaced it. */
  async forget(key: string, session: McpSession): Promise<void> {
    const entry = this.entries.get(key);
    if (entry !== undefined && (await entry.opening.catch(() => null)) === session) this.drop(key, entry);
  }

  /** Closes the sessions with other servers. */
  keep(serverIds: readonly number[]): void {
    const kept = new Set(serverIds.map(String));
    for (const [key, entry] of this.entries) if (!kept.has(key.split(':')[0]!)) this.drop(key, entry);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(all.map(close));
  }

  private use(key: string, entry: Entry): void {
    entry.usedAt = performance.now();
    this.entries.delete(key);
    this.entries.set(key, entry);
  }

  private drop(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    void close(entry);
  }

  private closeIdle(): void {
    const limit = performance.now() - IDLE_MS;
    for (const [key, entry] of this.entries) if (entry.usedAt < limit) this.drop(key, entry);
  }

  private closeSurplus(): void {
    for (const [key, entry] of this.entries) {
      if (this.entries.size <= MAX_SESSIONS) return;
      this.drop(key, entry);
    }
  }
}

export const sessionKey = (serverId: number, owner: string): string => `${serverId}:${owner}`;

const isSame = (a: ServerAccess, b: ServerAccess): boolean =>
  a.url === b.url && JSON.stringify(a.headers) === JSON.stringify(b.headers);

const close = ({ opening }: Entry): Promise<void> =>
  opening.then(
    (session) => session.close(),
    () => undefined,
  );
