import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A kind of things that answer the members of groups. */
export interface GroupUse {
  /** Whether a rule names the group. */
  isUsed(manager: EntityManager, groupId: number): Promise<boolean>;
  /** Takes the group out of all rules. */
  leave(manager: EntityManager, groupId: number): Promise<void>;
  /** Brings the change of rules into effect, after the commit. */
  announce(): Promise<void>;
}

/** The rooms whose rules name groups register here: this room knows none of them. */
@Injectable()
export class GroupUses {
  private readonly uses: GroupUse[] = [];

  register(use: GroupUse): void {
    this.uses.push(use);
  }

  async isUsed(manager: EntityManager, groupId: number): Promise<boolean> {
    for (const use of this.uses) if (await use.isUsed(manager, groupId)) return true;
    return false;
  }

  async leave(manager: EntityManager, groupId: number): Promise<void> {
    for (const use of this.uses) await use.leave(manager, groupId);
  }

  async announce(): Promise<void> {
    await Promise.all(this.uses.map((use) => use.announce()));
  }
}
