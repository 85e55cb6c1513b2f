import type { Preferences, UpdatePreferencesRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { profileChanged } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { isForeignKeyViolation } from '../platform/database/constraint-violations.js';
import { AppError } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { UserPreferenceEntity } from './user-preference.entity.js';

const DEFAULTS: Preferences = { modelId: null, aboutMe: '', howToAnswer: '', useInstructions: true };

const toPreferences = ({ modelId, aboutMe, howToAnswer, useInstructions }: Preferences): Preferences => ({
  modelId,
  aboutMe,
  howToAnswer,
  useInstructions,
});

@Injectable()
export class PreferencesService {
  constructor(
    @InjectRepository(UserPreferenceEntity) private readonly rows: Repository<UserPreferenceEntity>,
    private readonly bus: Bus,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('preferences', (owner) => this.exportOf(owner));
  }

  async get(userId: number): Promise<Preferences> {
    return toPreferences((await this.rows.findOneBy({ userId })) ?? DEFAULTS);
  }

  /**
   * Changes the given fields in one statement, so that parallel changes of other fields stay. A change of the custom
   * instructions is announced to the account's pages.
   * @throws AppError `unauthenticated` for an account that was deleted meanwhile
   */
  async update(userId: number, changes: UpdatePreferencesRequest): Promise<Preferences> {
    const { modelId, ...instructions } = presentFields(changes);
    const fields = { ...(modelId !== undefined && { modelId }), ...instructions };
    if (Object.keys(fields).length > 0) await this.upsert({ userId, ...fields });
    if (Object.keys(instructions).length > 0) await this.bus.publish(profileChanged, { userId });
    return this.get(userId);
  }

  private async upsert(row: Partial<Preferences> & { userId: number }): Promise<void> {
    try {
      await this.rows.upsert(row, ['userId']);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new AppError('unauthenticated', { cause: error });
      throw error;
    }
  }

  private async *exportOf(owner: Owner): AsyncGenerator<Preferences> {
    const row = await this.rows.findOneBy({ userId: ownerUserId(owner)! });
    if (row !== null) yield toPreferences(row);
  }
}
