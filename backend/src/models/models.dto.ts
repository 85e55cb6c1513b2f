import { type CreateModelRequest, type DefaultModel, LIMITS, TEXTS, type UpdateModelRequest } from '@tanya/contract';
import { IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import {
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  Trimmed,
  TrimmedOrNull,
} from '../platform/http/dto.decorators.js';

const required = { message: TEXTS.validation.missingInformationHint };

export class CreateModelDto implements CreateModelRequest {
  /** Decorators run from the last to the first: a missing id is reported before a malformed one. */
  @Matches(/^[^\s\p{C}]*$/u, { message: 'The model id contains blanks or invisible characters. Please remove them.' })
  @MaxLength(LIMITS.modelId.max)
  @MinLength(LIMITS.modelId.min, required)
  @IsString(required)
  @Trimmed()
  modelId: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.modelName.max)
  name?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.modelProvider.max)
  provider?: string;

  @MayBeEmpty()
  @TrimmedOrNull()
  @IsString()
  @MaxLength(LIMITS.modelDescription.max)
  description?: string;

  @MayBeAbsent()
  @IsBoolean()
  isEnabled?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeEmpty()
  @IsInt()
  @Min(LIMITS.contextLength.min)
  @Max(LIMITS.contextLength.max)
  contextLength?: number | null;
}

export class UpdateModelDto implements UpdateModelRequest {
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

  @MayBeEmpty()
  @TrimmedOrNull()
  @IsString()
  @MaxLength(LIMITS.modelDescription.max)
  description?: string | null;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeEmpty()
  @IsInt()
  @Min(LIMITS.contextLength.min)
  @Max(LIMITS.contextLength.max)
  contextLength?: number | null;
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
