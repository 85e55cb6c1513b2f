import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from './identity.js';

type DeleteHook = (owner: Owner) => Promise<void>;
type ExportHook = (owner: Owner) => AsyncIterable<unknown>;
type AdoptHook = (manager: EntityManager, from: Owner, to: Owner) => Promise<void>;

/**
 * What other features do when an account goes or takes over a guest's things. The account's module runs these
 * without knowing who listens.
 */
@Injectable()
export class AccountLifecycleHooks {
  private readonly deletes: DeleteHook[] = [];
  private readonly adopts: AdoptHook[] = [];
  private readonly exports = new Map<string, ExportHook>();

  /** Runs before the owner's row goes: finish what runs, remove what lies outside of the database. */
  onDelete(hook: DeleteHook): void {
    this.deletes.push(hook);
  }

  /** Runs inside the transaction that moves a guest's things into an account. */
  onAdopt(hook: AdoptHook): void {
    this.adopts.push(hook);
  }

  /** Adds a list to what members may take away of their own data. */
  onExport(part: string, hook: ExportHook): void {
    this.exports.set(part, hook);
  }

  async beforeDelete(owner: Owner): Promise<void> {
    for (const hook of this.deletes) await hook(owner);
  }

  async adopt(manager: EntityManager, from: Owner, to: Owner): Promise<void> {
    for (const hook of this.adopts) await hook(manager, from, to);
  }

  /** Each list by its name; nothing is read before somebody goes over it. */
  exportOf(owner: Owner): [part: string, items: AsyncIterable<unknown>][] {
    return [...this.exports].map(([part, hook]) => [part, hook(owner)]);
  }
}
