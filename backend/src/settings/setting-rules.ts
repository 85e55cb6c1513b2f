import { ERROR_REASONS, PLANS, type Setting, type SettingName, SETTINGS, LIMITS, TEXTS } from '@tanya/contract';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  EachOneLine,
  IsUnique,
  MaxLength,
  MayBeAbsent,
  MayBeBlank,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import { parseDomain } from './email-domains.js';
import { Nested } from '../platform/http/input-sizes.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

type Kind = Setting['kind'];

/** The rules of each kind in the order in which they are checked. The first that fails is reported. */
const RULES: { [K in Kind]: (setting: Setting<K>, name: string) => PropertyDecorator[] } = {
  text: ({ min, max, sentences = {} }) => [
    MayBeAbsent(),
    Trimmed(),
    IsString(sentence(sentences.low)),
    ...(min > 0 ? [MinLength(min, sentence(sentences.low))] : []),
    MaxLength(max, sentence(sentences.high)),
  ],
  whole: ({ min, max, sentences = {} }) => [
    MayBeAbsent(),
    IsInt(),
    Max(max, sentence(sentences.high)),
    Min(min, sentence(sentences.low)),
  ],
  choice: ({ choices }) => [MayBeAbsent(), IsIn(choices)],
  switch: () => [MayBeAbsent(), IsBoolean()],
  usd: () => [MayBeUsdAmount()],
  link: () => [MayBeAbsent(), IsString(), MaxLength(LIMITS.linkUrl.max)],
  address: () => [NullIsAbsent(), IsString(), MaxLength(LIMITS.baseUrl.max)],
  model: () => [MayBeBlank(), IsString(), MaxLength(LIMITS.modelId.max)],
  webhook: () => [MayBeAbsent(), IsString(), MaxLength(LIMITS.webhookUrl.max)],
  email: () => [
    MayBeAbsent(),
    Trimmed(),
    ValidateIf((_, given) => given !== ''),
    IsEmail({}, { message: TEXTS.validation.email }),
    MaxLength(LIMITS.email.max),
  ],
  key: () => [NullIsAbsent(), IsString(), MaxLength(LIMITS.providerKey.max)],
  ideas: ({ max, each }) => [
    MayBeAbsent(),
    EachOneLine(),
    MaxLength(each.max, { each: true }),
    MinLength(each.min, { each: true }),
    IsString({ each: true }),
    IsUnique({ message: 'An idea is listed twice. Please remove one.' }),
    ArrayMaxSize(max, { message: `At most ${max} ideas can be saved.` }),
    IsArray(),
  ],
  domains: ({ max }) => [
    MayBeEmpty(),
    ValidateBy(
      { name: 'isDomain', validator: { validate: (given) => parseDomain(given) !== null } },
      { each: true, message: ERROR_REASONS.invalid.domains },
    ),
    ArrayMaxSize(max),
    IsArray(),
  ],
  wholes: ({ names, min, max }, name) => isObjectOf(name, names, () => [MayBeAbsent(), IsInt(), Min(min), Max(max)]),
  limits: ({ names, parts }, name) =>
    isObjectOf(name, names, (field) =>
      isObjectOf(`${name}Of${field}`, Object.keys(parts), (part) => [
        MayBeAbsent(),
        IsInt(),
        Min(parts[part]!.min),
        Max(parts[part]!.max),
      ]),
    ),
  texts: ({ names, max }, name) => isObjectOf(name, names, () => [MayBeBlank(), MaxLength(max), IsString()]),
  switches: ({ names }, name) => isObjectOf(name, names, () => [IsBoolean()]),
  plans: ({ names }, name) =>
    isObjectOf(name, names, () => [
      MayBeAbsent(),
      IsArray(),
      ArrayMaxSize(PLANS.length),
      IsUnique(),
      IsIn(PLANS, { each: true }),
    ]),
};

const sentence = (key: keyof typeof TEXTS.validation | undefined) => key && { message: TEXTS.validation[key] };

/** An object with the same rules for each of its fields. The API description names its class after the setting. */
function isObjectOf(
  name: string,
  fields: readonly string[],
  rules: (field: string) => PropertyDecorator[],
): PropertyDecorator[] {
  const className = `${name[0]!.toUpperCase()}${name.slice(1)}Dto`;
  const type = { [className]: class {} }[className]!;
  for (const field of fields) for (const rule of rules(field)) rule(type.prototype, field);
  return [MayBeAbsent(), Nested(() => type), ValidateNested(), IsObject()];
}

const rulesOf = <K extends Kind>(setting: Setting<K>, name: string): PropertyDecorator[] => {
  const rules = RULES[setting.kind] as (setting: Setting<K>, name: string) => PropertyDecorator[];
  return rules(setting, name);
};

/** Gives a DTO the fields of declared settings with their rules, all of them optional. */
export const HasSettings =
  (names: readonly SettingName[]): ClassDecorator =>
  ({ prototype }) => {
    for (const name of names) for (const rule of rulesOf(SETTINGS[name], name)) rule(prototype as object, name);
  };
