import { applyDecorators } from '@nestjs/common';
import {
  type CreateModelRequest,
  type DefaultModel,
  type ImportModelsRequest,
  LIMITS,
  MODEL_KINDS,
  MODEL_PARAMETERS,
  type ModelBatchRequest,
  type ModelKind,
  type ModelParameters,
  type ModelPricing,
  REASONING_EFFORTS,
  type ReasoningEffort,
  TEXTS,
  type UpdateModelRequest,
} from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import {
  AreSmallIds,
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
import { AccessRuleDto } from '../access/access-rule.dto.js';
import { MODEL_ID } from './model-view.js';

const required = { message: TEXTS.validation.missingInformationHint };

/** A price: a decimal of at most 12 digits after the point, not negative. */
const IsPrice = (): PropertyDecorator =>
  applyDecorators(
    MayBeAbsent(),
    Matches(/^\d{1,8}(\.\d{1,12})?$/, { message: '$property must be a decimal of at least 0' }),
    IsString(),
  );

/** A list of names as catalogues have them; null for unknown. */
const IsNames = (): PropertyDecorator =>
  applyDecorators(
    MayBeEmpty(),
    IsArray(),
    ArrayMaxSize(LIMITS.modelList),
    Matches(/^[\x21-\x7e]{1,64}$/, { each: true }),
  );

class ModelPricingDto implements ModelPricing {
  @IsPrice()
  prompt?: string;

  @IsPrice()
  completion?: string;

  @IsPrice()
  cachedPrompt?: string;

  @IsPrice()
  reasoning?: string;

  @IsPrice()
  request?: string;

  @IsPrice()
  image?: string;

  @IsPrice()
  search?: string;
}

const UPSTREAM_ID = 'The id of the provider contains blanks or invisible characters. Please remove them.';

/** A number within the bounds of a parameter. */
const IsParameter = (): PropertyDecorator => (target, key) => {
  const { min, max, isWhole } = MODEL_PARAMETERS[key as keyof ModelParameters];
  NullIsAbsent()(target, key);
  Min(min)(target, key);
  Max(max)(target, key);
  if (isWhole) IsInt()(target, key);
  IsNumber()(target, key);
};

class ModelParametersDto implements ModelParameters {
  @IsParameter()
  temperature?: number;

  @IsParameter()
  top_p?: number;

  @IsParameter()
  top_k?: number;

  @IsParameter()
  min_p?: number;

  @IsParameter()
  presence_penalty?: number;

  @IsParameter()
  frequency_penalty?: number;

  @IsParameter()
  repetition_penalty?: number;

  @IsParameter()
  seed?: number;

  @IsParameter()
  max_tokens?: number;
}

/** The fields that an import takes over from a catalogue, and the connection. */
class ModelSourceDto extends AccessRuleDto {
  @MayBeAbsent()
  @IsIn(MODEL_KINDS)
  kind?: ModelKind;

  @MayBeAbsent()
  @IsBoolean()
  isInPicker?: boolean;

  @MayBeEmpty()
  @IsSmallId()
  connectionId?: number | null;

  @MayBeBlank()
  @Matches(MODEL_ID, { message: UPSTREAM_ID })
  @MaxLength(LIMITS.modelId.max)
  @IsString()
  upstreamId?: string | null;

  @MayBeBlank()
  @MaxLength(LIMITS.modelPrompt.max)
  @IsString()
  systemPrompt?: string | null;

  @MayBeEmpty()
  @IsObjectOf(() => ModelParametersDto)
  parameters?: ModelParametersDto | null;

  @NullIsAbsent()
  @IsArray()
  @ArrayMaxSize(LIMITS.fallbacks)
  @IsString({ each: true })
  @MaxLength(LIMITS.modelId.max, { each: true })
  fallbacks?: string[];

  @MayBeEmpty()
  @IsBoolean()
  supportsTools?: boolean | null;

  @MayBeEmpty()
  @IsObjectOf(() => ModelPricingDto)
  pricing?: ModelPricingDto | null;

  @IsNames()
  inputModalities?: string[] | null;

  @IsNames()
  outputModalities?: string[] | null;

  @IsNames()
  supportedParameters?: string[] | null;

  @MayBeEmpty()
  @IsArray()
  @ArrayMaxSize(REASONING_EFFORTS.length)
  @IsIn(REASONING_EFFORTS, { each: true })
  reasoningEfforts?: ReasoningEffort[] | null;
}

export class CreateModelDto extends ModelSourceDto implements CreateModelRequest {
  /** Decorators run from the last to the first: a missing id is reported before a malformed one. */
  @Matches(/^[^\s\p{C}]*$/u, { message: 'The model id contains blanks or invisible characters. Please remove them.' })
  @MaxLength(LIMITS.modelId.max)
  @MinLength(LIMITS.modelId.min, required)
  @IsString(required)
  @Trimmed()
  modelId: string;

  @NullIsAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.modelName.max)
  name?: string;

  @NullIsAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.modelProvider.max)
  provider?: string;

  @MayBeBlank()
  @IsString()
  @MaxLength(LIMITS.modelDescription.max)
  description?: string;

  @MayBeAbsent()
  @IsBoolean()
  isEnabled?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isApiEnabled?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeEmpty()
  @IsWholeWithin(LIMITS.contextLength)
  contextLength?: number | null;
}

export class UpdateModelDto extends ModelSourceDto implements UpdateModelRequest {
  @MayBeAbsent()
  @Trimmed()
  @IsString(required)
  @MinLength(LIMITS.modelName.min, required)
  @MaxLength(LIMITS.modelName.max)
  name?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString(required)
  @MinLength(LIMITS.modelProvider.min, required)
  @MaxLength(LIMITS.modelProvider.max)
  provider?: string;

  @MayBeBlank()
  @IsString()
  @MaxLength(LIMITS.modelDescription.max)
  description?: string | null;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeEmpty()
  @IsWholeWithin(LIMITS.contextLength)
  contextLength?: number | null;
}

export class ImportModelsDto extends AccessRuleDto implements ImportModelsRequest {
  @MayBeEmpty()
  @IsSmallId()
  connectionId: number | null = null;

  @IsArray()
  @ArrayMaxSize(LIMITS.modelImport)
  @IsString({ each: true })
  modelIds: string[];

  @NullIsAbsent()
  @IsBoolean()
  isEnabled?: boolean;
}

class BatchChangesDto extends AccessRuleDto {
  @MayBeAbsent()
  @IsBoolean()
  isEnabled?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isApiEnabled?: boolean;

  @MayBeAbsent()
  @IsIn(MODEL_KINDS)
  kind?: ModelKind;

  @MayBeEmpty()
  @IsObjectOf(() => ModelPricingDto)
  pricing?: ModelPricingDto | null;
}

export class ModelBatchDto implements ModelBatchRequest {
  @AreSmallIds(LIMITS.modelBatch)
  ids: number[];

  @IsObjectOf(() => BatchChangesDto)
  changes: BatchChangesDto;
}

export class ModelStatusDto {
  @IsBoolean()
  isEnabled: boolean;
}

export class ModelApiStatusDto {
  @IsBoolean()
  isApiEnabled: boolean;
}

export class DefaultModelDto implements DefaultModel {
  @IsString(required)
  @MinLength(LIMITS.modelId.min, required)
  @MaxLength(LIMITS.modelId.max)
  modelId: string;
}
