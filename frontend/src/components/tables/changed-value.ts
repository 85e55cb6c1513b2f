import { BUILT_IN_TOOLS, SETTINGS } from '@tanya/contract';
import { formatDateTime, formatNumber } from '../../app/i18n/formats';
import { findText, t } from '../../app/i18n/translate';
import type { PlainTextKey } from '../../texts/catalogue';
import { settingChoices } from '../forms/setting-choices';

/** Entries of a list, and characters of a text, up to which it is shown whole. */
const SHORT_LIST = 5;
const SHORT_TEXT = 200;

/** Characters that stand before and after the differing part of a long text. */
const AROUND = 40;

interface ChangedValue {
  text: string;
  /** Whether equal parts of a long value are left out. */
  isPart: boolean;
}

/**
 * A value of a changed field in words, as its form says it. Of an object, only the parts that the other value has
 * otherwise; of a long list or text too, unless it is wanted whole.
 */
export function changedValue(field: string, value: unknown, other: unknown, isWhole: boolean): ChangedValue {
  if (!isWhole && Array.isArray(value) && Array.isArray(other)) return listChange(field, value, other);
  if (!isWhole && typeof value === 'string' && typeof other === 'string') return textChange(field, value, other);
  return { text: isObject(value) ? partsText(field, value, other) : wordsOf(field, value), isPart: false };
}

function listChange(field: string, value: unknown[], other: unknown[]): ChangedValue {
  const known = new Set(other.map(keyOf));
  const differing = value.filter((entry) => !known.has(keyOf(entry)));
  const same = value.length - differing.length;
  // Lists that differ in their order alone are shown whole too.
  const isOtherOrder = same === value.length && same === other.length;
  if (value.length + other.length <= 2 * SHORT_LIST || same === 0 || isOtherOrder)
    return { text: wordsOf(field, value), isPart: false };
  const rest = t('audit.sameEntries', { count: same });
  return { text: [...differing.map((entry) => wordsOf(field, entry)), rest].join('\n'), isPart: true };
}

function textChange(field: string, value: string, other: string): ChangedValue {
  if (Math.max(value.length, other.length) <= SHORT_TEXT) return { text: wordsOf(field, value), isPart: false };
  const shorter = Math.min(value.length, other.length);
  let start = 0;
  while (start < shorter && value[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && value.at(-1 - end) === other.at(-1 - end)) end += 1;
  const from = start > AROUND ? wordBefore(value, start - AROUND) : 0;
  const to = end > AROUND ? wordAfter(value, value.length - end + AROUND) : value.length;
  const text = `${from > 0 ? '…' : ''}${value.slice(from, to)}${to < value.length ? '…' : ''}`;
  return { text, isPart: from > 0 || to < value.length };
}

/** The begin of the word at a place, at most `AROUND` characters before it. */
function wordBefore(text: string, place: number): number {
  const blank = text.slice(Math.max(0, place - AROUND), place).search(/\s\S*$/);
  return blank === -1 ? place : Math.max(0, place - AROUND) + blank + 1;
}

/** The end of the word at a place, at most `AROUND` characters behind it. */
function wordAfter(text: string, place: number): number {
  const blank = text.slice(place, place + AROUND).search(/\s/);
  return blank === -1 ? place : place + blank;
}

/** The parts of an object that the other one has otherwise, a line each; of objects inside, with their path. */
function partsText(field: string, value: Record<string, unknown>, other: unknown): string {
  return linesOf(field, value, isObject(other) ? other : {}, '').join('\n');
}

function linesOf(
  field: string,
  value: Record<string, unknown>,
  other: Record<string, unknown>,
  path: string,
): string[] {
  return Object.entries(value).flatMap(([part, inner]) => {
    const name = `${path}${partName(part)}`;
    const before = other[part];
    if (part in other && keyOf(inner) === keyOf(before)) return [];
    if (isObject(inner)) return linesOf(field, inner, isObject(before) ? before : {}, `${name} · `);
    return [`${name}: ${wordsOf(field, inner) || t('audit.empty')}`];
  });
}

function wordsOf(field: string, value: unknown): string {
  // The budget of one person has the periods of all.
  const choices = settingChoices(field === 'budgetPeriod' ? 'userBudgetPeriod' : field);
  const choice = typeof value === 'boolean' ? (value ? 'on' : 'off') : (value ?? '');
  if (typeof choice === 'string' && Object.hasOwn(choices, choice)) return t(choices[choice]!);
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? t('audit.yes') : t('audit.no');
  // Numbers of other things may be ids.
  if (typeof value === 'number') return Object.hasOwn(SETTINGS, field) ? formatNumber(value) : String(value);
  if (typeof value === 'string') return isMoment(value) ? formatDateTime(new Date(value)) : codeWords(field, value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  const ofPlans = field === 'builtInTools' || field === 'plans';
  return ofPlans
    ? value.map((plan) => partName(String(plan))).join(', ')
    : value.map((entry) => wordsOf(field, entry)).join('\n');
}

/** The keys of the words for the codes of fields that are no settings. */
const CODE_KEYS: Readonly<Record<string, (code: string) => string>> = {
  access: (code) => `groups.access_${code}`,
  kind: (code) => `modelsPage.kind_${code}`,
  plan: (code) => `usage.plan_${code}`,
  reason: (code) => `errors.${code}`,
  result: (code) => `audit.result_${code}`,
  scope: (code) => `keys.scope_${code}`,
  way: (code) => `audit.way_${code}`,
};

/** The words for a code; a text that is no code of the field stays as it is. */
const codeWords = (field: string, text: string): string =>
  (Object.hasOwn(CODE_KEYS, field) && findText(CODE_KEYS[field]!(text))) || text;

const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const PART_NAMES: Readonly<Record<string, PlainTextKey>> = {
  guest: 'toolSettings.guest',
  free: 'toolSettings.free',
  premium: 'toolSettings.premium',
  admin: 'settingsPage.totpAdmins',
  member: 'settingsPage.totpMembers',
  files: 'projectLimits.part.files',
  bytes: 'projectLimits.part.bytes',
  characters: 'projectLimits.part.characters',
};

/** The name of a part of a setting; that of another thing is as the server calls it. */
function partName(part: string): string {
  if (Object.hasOwn(PART_NAMES, part)) return t(PART_NAMES[part]!);
  const tool = BUILT_IN_TOOLS.find((name) => name === part);
  return tool ? t(`tools.${tool}`) : (findText(`auditFields.${part}`) ?? part);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keyOf = (value: unknown): string => JSON.stringify(value) ?? '';
