import type { EntityManager } from 'typeorm';
import { type Change, changeOfRow } from '../audit/audit-log.js';
import type { ModelEntity } from './model.entity.js';

export const modelChange = (
  action: 'create' | 'update' | 'delete' | 'set_default',
  before: ModelEntity | null,
  after: ModelEntity | null,
): Change => changeOfRow(`model.${action}`, before, after, audited);

function audited(model: ModelEntity): object {
  const { id, createdAt, updatedAt, ...fields } = model;
  return fields;
}

/**
 * Serializes changes that concern several models: two of fallbacks could close a circle, and one of a status could disable
 * the new default.
 */
export async function lockAllModels(manager: EntityManager): Promise<void> {
  await manager.query('lock table model in share row exclusive mode');
}
