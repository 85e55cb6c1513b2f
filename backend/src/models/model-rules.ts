import { applyDecorators } from '@nestjs/common';
import {
  LIMITS,
  MODEL_FIELDS,
  MODEL_PARAMETERS,
  MODEL_PRICES,
  type ModelField,
  type ModelFieldKind,
  type ModelFieldName,
  type ModelParameters,
  type ModelPricing,
  TEXTS,
} from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import {
  IsObjectOf,
  IsSmallId,
  IsWholeWithin,
  MaxLength,
  MayBeAbsent,
  MayBeBlank,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import { MODEL_ID } from './model-view.js';

export const required = { message: TEXTS.validation.missingInformationHint };

const BLANKS_IN_ID = 'The id of the provider contains blanks or invisible characters. Please remove them.';

class ModelPricingDto implements ModelPricing {}

for (const name of MODEL_PRICES)
  applyDecorators(
    MayBeAbsent(),
    Matches(/^\d{1,8}(\.\d{1,12})?$/, { message: '$property must be a decimal of at least 0' }),
    IsString(),
  )(ModelPricingDto.prototype, name);

class ModelParametersDto implements ModelParameters {}

for (const [name, { min, max, isWhole }] of Object.entries(MODEL_PARAMETERS))
  applyDecorators(
    NullIsAbsent(),
    Min(min),
    Max(max),
    ...(isWhole ? [IsInt()] : []),
    IsNumber(),
  )(ModelParametersDto.prototype, name);

/** The rules of each kind in the order in which they are checked. The first that fails is reported. */
const RULES: { [K in ModelFieldKind]: (field: ModelField<K>, isNew: boolean) => PropertyDecorator[] } = {
  name: ({ min, max }, isNew) =>
    isNew
      ? [MaxLength(max), IsString(), Trimmed(), NullIsAbsent()]
      : [MaxLength(max), MinLength(min, required), IsString(required), Trimmed(), MayBeAbsent()],
  text: ({ max, isId }) => [
    IsString(),
    MaxLength(max),
    ...(isId ? [Matches(MODEL_ID, { message: BLANKS_IN_ID })] : []),
    MayBeBlank(),
  ],
  choice: ({ choices }) => [IsIn(choices), MayBeAbsent()],
  switch: () => [IsBoolean(), MayBeAbsent()],
  override: () => [IsBoolean(), MayBeEmpty()],
  whole: (bounds) => [IsWholeWithin(bounds), MayBeEmpty()],
  connection: () => [IsSmallId(), MayBeEmpty()],
  names: ({ max }) => [MayBeEmpty(), IsArray(), ArrayMaxSize(max), Matches(/^[\x21-\x7e]{1,64}$/, { each: true })],
  choices: ({ choices }) => [IsIn(choices, { each: true }), ArrayMaxSize(choices.length), IsArray(), MayBeEmpty()],
  models: ({ max }) => [
    MaxLength(LIMITS.modelId.max, { each: true }),
    IsString({ each: true }),
    ArrayMaxSize(max),
    IsArray(),
    NullIsAbsent(),
  ],
  parameters: () => [IsObjectOf(() => ModelParametersDto), MayBeEmpty()],
  prices: () => [IsObjectOf(() => ModelPricingDto), MayBeEmpty()],
};

/** Gives a DTO declared fields with their rules, all of them optional. @param isNew whether it describes a new model */
export const HasModelFields =
  (names: readonly ModelFieldName[], isNew = false): ClassDecorator =>
  ({ prototype }) => {
    for (const name of names) {
      const field: ModelField = MODEL_FIELDS[name];
      const rules = RULES[field.kind] as (field: ModelField, isNew: boolean) => PropertyDecorator[];
      for (const rule of rules(field, isNew)) rule(prototype as object, name);
    }
  };
