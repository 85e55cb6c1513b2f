import {
  type CreateModelRequest,
  type DefaultModel,
  type ImportModelsRequest,
  LIMITS,
  MODEL_BATCH_FIELDS,
  MODEL_FIELD_NAMES,
  MODEL_FIELDS,
  type ModelBatchRequest,
  type ModelFieldName,
  type UpdateModelRequest,
} from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsBoolean, IsString, Matches } from 'class-validator';
import {
  AreSmallIds,
  IsObjectOf,
  IsSmallId,
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import { AccessRuleDto } from '../access/access-rule.dto.js';
import { HasModelFields, required } from './model-rules.js';

/** The fields that `/api/docs` lists with new and with changed models, and not with what both have in common. */
const OF_EACH: readonly ModelFieldName[] = [
  'name',
  'provider',
  'description',
  'isEnabled',
  'isApiEnabled',
  'contextLength',
];

@HasModelFields(MODEL_FIELD_NAMES.filter((name) => !OF_EACH.includes(name)))
class ModelSourceDto extends AccessRuleDto {}

@HasModelFields(OF_EACH, true)
export class CreateModelDto extends ModelSourceDto implements CreateModelRequest {
  /** Decorators run from the last to the first: a missing id is reported before a malformed one. */
  @Matches(/^[^\s\p{C}]*$/u, { message: 'The model id contains blanks or invisible characters. Please remove them.' })
  @MaxLength(LIMITS.modelId.max)
  @MinLength(LIMITS.modelId.min, required)
  @IsString(required)
  @Trimmed()
  modelId: string;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;
}

@HasModelFields(OF_EACH.filter((name) => !('hasCall' in MODEL_FIELDS[name])))
export class UpdateModelDto extends ModelSourceDto implements UpdateModelRequest {
  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;
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

@HasModelFields(MODEL_BATCH_FIELDS)
class BatchChangesDto extends AccessRuleDto {}

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
