import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { untilAborted } from '../../platform/resilience/with-deadline.js';
import type { McpSession, ServerAccess } from './mcp-session.js';

/** A session without calls for this long is closed. */
const IDLE_MS = 5 * 60_000;
const SWEEP_MS = 60_000;

/** Open sessions of this node; beyond it the longest unused ones without calls are closed. */
const MAX_SESSIONS = 500;

interface Entry {
  access: ServerAccess;
  opening: Promise<McpSession>;
  isOpen: boolean;
  usedAt: number;
  /** Running calls: a session is closed when it has none, because its end would abort them. */
  calls: number;
  isDropped: boolean;
}

export interface UsableSession {
  session: McpSession;
  /** Whether the session was opened while the call waited for it: the server has then listed its tools again. */
  isNew: boolean;
  /** Uses the session for no further call. Running ones go on in it. */
  discard: () => void;
}

/** The open MCP sessions of this node: one per server and user, used again by later calls. */
@Injectable()
export class McpSessions implements OnApplicationShutdown {
  /** In the order of their last use. */
  private readonly entries = new Map<string, Entry>();

  constructor(background: BackgroundWork) {
    background.repeat('end of idle MCP sessions', SWEEP_MS, () => this.closeIdle());
  }

  /**
   * Runs a call in the session of a key, which stays open until the call has ended. A session with another address or
   * other headers is replaced.
   * @param open makes a session; several callers wait for one
   * @param signal ends the wait for the session
   */
  async use<T>(
    key: string,
    access: ServerAccess,
    open: () => Promise<McpSession>,
    signal: AbortSignal,
    call: (usable: UsableSession) => Promise<T>,
  ): Promise<T> {
    const entry = this.enter(key, access, open);
    const isNew = !entry.isOpen;
    try {
      const session = await untilAborted(signal, () => entry.opening);
      return await call({ session, isNew, discard: () => this.drop(key, entry) });
    } finally {
      this.leave(entry);
    }
  }

  /** Closes the sessions with other servers, each after its running calls. */
  keep(serverIds: readonly number[]): void {
    const kept = new Set(serverIds.map(String));
    for (const [key, entry] of this.entries) if (!kept.has(key.split(':')[0]!)) this.drop(key, entry);
  }

  /** Runs end before this, within the grace period: their calls need the sessions. */
  async onApplicationShutdown(): Promise<void> {
    const all = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(all.map(close));
  }

  /** Counts a call for the entry of a key. */
  private enter(key: string, access: ServerAccess, open: () => Promise<McpSession>): Entry {
    const found = this.entries.get(key);
    const isUsable = found !== undefined && isSame(found.access, access);
    if (found !== undefined && !isUsable) this.drop(key, found);
    const entry = isUsable ? found : this.create(key, access, open);
    entry.calls += 1;
    entry.usedAt = performance.now();
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.closeSurplus();
    return entry;
  }

  private create(key: string, access: ServerAccess, open: () => Promise<McpSession>): Entry {
    const opening = open();
    const entry = { access, opening, isOpen: false, usedAt: 0, calls: 0, isDropped: false };
    opening.then(
      () => void (entry.isOpen = true),
      () => this.drop(key, entry),
    );
    return entry;
  }

  private leave(entry: Entry): void {
    entry.calls -= 1;
    entry.usedAt = performance.now();
    if (entry.isDropped) closeUnused(entry);
    this.closeSurplus();
  }

  private drop(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    entry.isDropped = true;
    closeUnused(entry);
  }

  private closeIdle(): void {
    const limit = performance.now() - IDLE_MS;
    for (const [key, entry] of this.entries) if (entry.calls === 0 && entry.usedAt < limit) this.drop(key, entry);
  }

  private closeSurplus(): void {
    for (const [key, entry] of this.entries) {
      if (this.entries.size <= MAX_SESSIONS) return;
      if (entry.calls === 0) this.drop(key, entry);
    }
  }
}

export const sessionKey = (serverId: number, owner: string): string => `${serverId}:${owner}`;

const isSame = (a: ServerAccess, b: ServerAccess): boolean =>
  a.url === b.url && JSON.stringify(a.headers) === JSON.stringify(b.headers);

/** Closes the session of a dropped entry; one with calls is closed by the last of them. */
function closeUnused(entry: Entry): void {
  if (entry.calls === 0) void close(entry);
}

const close = ({ opening }: Entry): Promise<void> =>
  opening.then(
    (session) => session.close(),
    () => undefined,
  );
