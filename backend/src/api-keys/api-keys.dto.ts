import {
  type CreateApiKeyRequest,
  type CreateServiceKeyRequest,
  KEY_SCOPES,
  type KeyScope,
  type LimitKeyRequest,
  LIMITS,
  type UpdateApiKeyRequest,
} from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import {
  IsName,
  IsWholeWithin,
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
} from '../platform/http/dto.decorators.js';
import { IsKnownPassword } from '../users/account-fields.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));

/** Restrictions of a key; null removes one. */
class KeyRestrictionsDto {
  @MayBeEmpty()
  @ValidateBy({ name: 'isTime', validator: { validate: isTime } }, { message: 'expiresAt must be an ISO 8601 time' })
  expiresAt?: string;

  @MayBeEmpty()
  @IsWholeWithin(LIMITS.apiKeyMessageCap)
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
  @IsName(LIMITS.apiKeyName)
  name: string;

  @NullIsAbsent()
  @IsIn(KEY_SCOPES)
  scope?: KeyScope;

  /** For a key of scope `admin`. */
  @NullIsAbsent()
  @IsKnownPassword()
  password?: string;
}

const IsKeyRate = (): PropertyDecorator =>
  applyDecorators(MayBeEmpty(), Min(LIMITS.apiRate.min), Max(LIMITS.apiRate.max), IsInt());

/** What admins change of keys. */
export class LimitKeyDto extends KeyRestrictionsDto implements LimitKeyRequest {
  @IsKeyRate()
  requestsPerMinute?: number;

  @IsKeyRate()
  tokensPerMinute?: number;
}

export class CreateServiceKeyDto extends LimitKeyDto implements CreateServiceKeyRequest {
  @IsName(LIMITS.apiKeyName)
  name: string;
}

export class UpdateApiKeyDto extends KeyRestrictionsDto implements UpdateApiKeyRequest {
  @MayBeAbsent()
  @IsName(LIMITS.apiKeyName)
  name?: string;
}
