import { type CreateApiKeyRequest, LIMITS, type UpdateApiKeyRequest } from '@tanya/contract';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { MaxLength, MayBeAbsent, MayBeEmpty, MinLength, OneLine } from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));

const nameRequired = { message: 'Please enter a name.' };

/** Restrictions of a key; null removes one. */
class KeyRestrictionsDto {
  @MayBeEmpty()
  @ValidateBy({ name: 'isTime', validator: { validate: isTime } }, { message: 'expiresAt must be an ISO 8601 time' })
  expiresAt?: string;

  @MayBeEmpty()
  @Min(LIMITS.apiKeyMessageCap.min)
  @Max(LIMITS.apiKeyMessageCap.max)
  @IsInt()
  messageCap?: number;

  @MayBeUsdAmount()
  budgetUsd?: string;

  @MayBeEmpty()
  @IsArray()
  @ArrayMinSize(1, { message: 'Please choose at least one model, or allow all.' })
  @ArrayMaxSize(LIMITS.apiKeyModels)
  @IsString({ each: true })
  @MinLength(LIMITS.modelId.min, { each: true })
  @MaxLength(LIMITS.modelId.max, { each: true })
  models?: string[];
}

export class CreateApiKeyDto extends KeyRestrictionsDto implements CreateApiKeyRequest {
  @OneLine()
  @IsString(nameRequired)
  @MinLength(LIMITS.apiKeyName.min, nameRequired)
  @MaxLength(LIMITS.apiKeyName.max)
  name: string;
}

export class UpdateApiKeyDto extends KeyRestrictionsDto implements UpdateApiKeyRequest {
  @MayBeAbsent()
  @OneLine()
  @IsString(nameRequired)
  @MinLength(LIMITS.apiKeyName.min, nameRequired)
  @MaxLength(LIMITS.apiKeyName.max)
  name?: string;
}
