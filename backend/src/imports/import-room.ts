import type { TextQuota } from '../chat/messages/text-quota.js';
import type { Owner } from '../identity/identity.js';

/**
 * Characters after which an import reads anew how much room its account has, so that thousands of short conversations do
 * not each read it. Other texts that the account stores meanwhile can exceed its bound by as much.
 */
const RECOUNT_CHARACTERS = 10_000_000;

/** The room of an account for the texts of one import. */
export class ImportRoom {
  private left = 0;

  constructor(
    private readonly quota: TextQuota,
    private readonly owner: Owner,
  ) {}

  /** Takes room for a conversation. @returns whether the account has it */
  async takeCharacters(characters: number): Promise<boolean> {
    if (characters > this.left) {
      const room = await this.quota.roomOf(this.owner);
      this.left = Math.min(room, Math.max(characters, RECOUNT_CHARACTERS));
    }
    if (characters > this.left) return false;
    this.left -= characters;
    return true;
  }
}
