import type { Change } from '../audit/audit-log.js';
import type { ModelEntity } from './model.entity.js';

export function modelChange(
  action: 'create' | 'update' | 'delete' | 'set_default',
  before: ModelEntity | null,
  after: ModelEntity | null,
): Change {
  const { id, name } = (after ?? before)!;
  return { action: `model.${action}`, target: { id, name }, before: audited(before), after: audited(after) };
}

function audited(model: ModelEntity | null): object | null {
  if (model === null) return null;
  const { id, createdAt, updatedAt, ...fields } = model;
  return fields;
}
