import {
  type AdminSettings,
  type AuditValues,
  SETTINGS,
  type SettingName,
  type UpdateSettingsRequest,
} from '@tanya/contract';

const MASK = '••••••••';

/** What unsaved changes will do, as the audit log will show it: the parts that differ, and no keys. */
export function changesOf(
  request: UpdateSettingsRequest,
  settings: AdminSettings,
): { before: AuditValues; after: AuditValues } {
  const before: AuditValues = {};
  const after: AuditValues = {};
  for (const [name, given] of Object.entries(request) as [SettingName, unknown][]) {
    const isKey = SETTINGS[name].kind === 'key';
    before[name] = differing(settings[name], given);
    after[name] = isKey && given !== '' ? MASK : differing(given, settings[name]);
  }
  return { before, after };
}

/** The parts of an object that another one has otherwise. Values of other kinds are whole. */
function differing(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value;
  const names = Object.keys(value).filter((name) => name in other && !isSame(value[name], other[name]));
  return Object.fromEntries(names.map((name) => [name, differing(value[name], other[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The request that takes changes back. Keys are not readable, an address that a key is sent to needs it again, and another
 * model for embeddings costs money each time: these stay.
 */
export function undoingOf(request: UpdateSettingsRequest, before: AdminSettings): UpdateSettingsRequest {
  const names = (Object.keys(request) as SettingName[]).filter(canUndo);
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

function canUndo(name: SettingName): boolean {
  const setting = SETTINGS[name];
  return name !== 'embeddingModelId' && setting.kind !== 'key' && setting.kind !== 'webhook' && !('of' in setting);
}
