import {
  type AdminSettings,
  type AuditValues,
  type Plan,
  PLANS,
  SETTING_NAMES,
  type SettingName,
  type SettingOf,
  SETTINGS,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { amountOf } from '../../components/forms/budget-values';

/** Settings with a form field for each of their names, so that each is a change of its own. */
type Split = SettingOf<'plans' | 'wholes' | 'texts'>;

export type PartField<N extends Split> = `${N}_${(typeof SETTINGS)[N]['names'][number]}`;

/** Settings with a form field for each part of each name. */
type Limits = SettingOf<'limits'>;

export type LimitField<N extends Limits = Limits> =
  `${N}_${(typeof SETTINGS)[N]['names'][number]}_${keyof (typeof SETTINGS)[N]['parts'] & string}`;

export type SettingsField = Exclude<SettingName, Split | Limits> | { [N in Split]: PartField<N> }[Split] | LimitField;

/** Values of the form, all of them texts; numbers are kept as typed. */
export type SettingsValues = Record<SettingsField, string>;

export const toSettingsValues = (settings: AdminSettings): SettingsValues =>
  Object.fromEntries(SETTING_NAMES.flatMap((name) => fieldsOf(name, settings[name]))) as SettingsValues;

function fieldsOf(name: SettingName, value: unknown): [field: string, text: string][] {
  const setting = SETTINGS[name];
  switch (setting.kind) {
    case 'plans': {
      const plans = value as Record<string, Plan[]>;
      return setting.names.map((part) => [`${name}_${part}`, fromPlans(plans[part]!)]);
    }
    case 'wholes': {
      const numbers = value as Record<string, number>;
      return setting.names.map((part) => [`${name}_${part}`, String(numbers[part])]);
    }
    case 'texts': {
      const texts = value as Record<string, string | null>;
      return setting.names.map((part) => [`${name}_${part}`, texts[part] ?? '']);
    }
    case 'limits': {
      const limits = value as Record<string, Record<string, number>>;
      return setting.names.flatMap((part) =>
        Object.entries(limits[part]!).map(([each, most]): [string, string] => [
          `${name}_${part}_${each}`,
          String(most),
        ]),
      );
    }
    case 'switches': {
      const states = value as Record<string, boolean>;
      return [[name, setting.names.filter((part) => states[part]).join(' ')]];
    }
    case 'switch':
      return [[name, value === true ? 'on' : 'off']];
    case 'ideas':
      return [[name, toLines(value as string[])]];
    case 'domains':
      return [[name, (value as string[]).join(', ')]];
    default:
      return [[name, typeof value === 'number' ? String(value) : ((value as string | null) ?? '')]];
  }
}

/** The request for the changed fields alone: the others may have been changed by another admin meanwhile. */
export function toRequest(values: SettingsValues, changed: readonly SettingsField[]): UpdateSettingsRequest {
  const entries = SETTING_NAMES.map((name) => {
    const fields = changed.filter((field) => field === name || field.startsWith(`${name}_`));
    return [name, fields.length === 0 ? undefined : valueOf(name, values, fields)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function valueOf(name: SettingName, values: Record<string, string>, changed: readonly SettingsField[]): unknown {
  const setting = SETTINGS[name];
  const text = values[name] ?? '';
  switch (setting.kind) {
    case 'plans':
      return Object.fromEntries(changed.map((field) => [field.slice(name.length + 1), plansIn(values[field]!)]));
    case 'wholes':
      return Object.fromEntries(changed.map((field) => [field.slice(name.length + 1), Number(values[field])]));
    case 'limits':
      return limitsIn(changed.map((field) => [field.slice(name.length + 1), values[field]!]));
    case 'texts':
      return Object.fromEntries(changed.map((field) => [field.slice(name.length + 1), values[field]!.trim() || null]));
    case 'switches':
      return Object.fromEntries(setting.names.map((part) => [part, text.split(' ').includes(part)]));
    case 'switch':
      return text === 'on';
    case 'whole':
      return Number(text);
    case 'usd':
      return amountOf(text);
    case 'model':
      return text || null;
    case 'ideas':
      return filledLines(text);
    case 'domains':
      return domainsIn(text);
    default:
      return text;
  }
}

/** @param fields the name and the part of each, as in `free_files` */
function limitsIn(fields: readonly [field: string, text: string][]): Record<string, Record<string, number>> {
  const limits: Record<string, Record<string, number>> = {};
  for (const [field, text] of fields) {
    const [name, part] = field.split('_') as [string, string];
    limits[name] = { ...limits[name], [part]: Number(text) };
  }
  return limits;
}

export const plansIn = (value: string): Plan[] => PLANS.filter((plan) => value.split(' ').includes(plan));

/** The field's value, always in the order of `PLANS`, so that a choice and its undoing leave the form unchanged. */
export const fromPlans = (plans: readonly string[]): string => PLANS.filter((plan) => plans.includes(plan)).join(' ');

/** One idea per line, each ended by a line break. */
export function toLines(ideas: readonly string[]): string {
  return ideas.map((idea) => `${idea}\n`).join('');
}

export function fromLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

/** The ideas to save; empty rows of the form are left out. */
export const filledLines = (text: string): string[] =>
  fromLines(text)
    .map((idea) => idea.trim())
    .filter(Boolean);

/** Domains between commas or blanks, also as the ends of addresses. */
export const domainsIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ''))
    .filter(Boolean);

const MASK = '••••••••';

/** What unsaved changes will do, as the audit log will show it: without keys, and with the parts that the request has. */
export function changesOf(
  request: UpdateSettingsRequest,
  settings: AdminSettings,
): { before: AuditValues; after: AuditValues } {
  const before: AuditValues = {};
  const after: AuditValues = {};
  for (const [name, given] of Object.entries(request) as [SettingName, unknown][]) {
    const isKey = SETTINGS[name].kind === 'key';
    before[name] = partsAsIn(given, settings[name]);
    after[name] = isKey && given !== '' ? MASK : given;
  }
  return { before, after };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The request that takes changes back. Keys are not readable, an address that a key is sent to needs it again, and another
 * model for embeddings costs money each time: these stay.
 */
export function undoingOf(request: UpdateSettingsRequest, before: AdminSettings): UpdateSettingsRequest {
  const names = (Object.keys(request) as SettingName[]).filter(canUndo);
  return Object.fromEntries(names.map((name) => [name, partsAsIn(request[name], before[name])]));
}

/** The parts of a value that a request has: the others may have been changed by another admin meanwhile. */
function partsAsIn(given: unknown, value: unknown): unknown {
  if (!isObject(given) || !isObject(value)) return value;
  return Object.fromEntries(Object.keys(given).map((name) => [name, partsAsIn(given[name], value[name])]));
}

function canUndo(name: SettingName): boolean {
  const setting = SETTINGS[name];
  return name !== 'embeddingModelId' && setting.kind !== 'key' && setting.kind !== 'webhook' && !('of' in setting);
}
