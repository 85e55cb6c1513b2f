import {
  BUDGET_PERIODS,
  type BudgetPeriod,
  type CreateUserRequest,
  LIMITS,
  type UpdateUserRequest,
  USER_BATCH_MAX,
  type UserBatchChanges,
  type UserBatchRequest,
} from '@tanya/contract';
import { Transform } from 'class-transformer';
import { Equals, IsBoolean, IsIn, ValidateIf } from 'class-validator';
import {
  AreSmallIds,
  IsObjectOf,
  IsWholeWithin,
  MayBeAbsent,
  MayBeBlank,
  MayBeEmpty,
} from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';
import { IsEmailAddress, IsFullName, IsNewPassword, IsPhoneNumber, IsUsername } from '../users/account-fields.js';

class RightsDto {
  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isAdmin?: boolean;
}

export class CreateUserDto extends RightsDto implements CreateUserRequest {
  @IsUsername()
  username: string;

  @ValidateIf(({ isService, password }: CreateUserDto) => isService !== true || password !== undefined)
  @IsNewPassword()
  password?: string;

  @MayBeAbsent()
  @IsBoolean()
  isService?: boolean;

  @MayBeBlank()
  @IsFullName()
  fullName?: string;

  @MayBeBlank()
  @IsEmailAddress()
  email?: string;

  @MayBeBlank()
  @IsPhoneNumber()
  phoneNumber?: string;
}

/** What can be changed of many accounts at once. */
class TermsDto extends RightsDto implements UserBatchChanges {
  @MayBeAbsent()
  @Equals(true, { message: 'An approval cannot be withdrawn. Please delete the account instead.' })
  isApproved?: true;

  @MayBeAbsent()
  @IsBoolean()
  isSuspended?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  mustChangePassword?: boolean;

  @MayBeEmpty()
  @IsWholeWithin(LIMITS.quotaOverride)
  quotaOverride?: number;

  @MayBeUsdAmount()
  budgetUsd?: string;

  @MayBeEmpty()
  @IsIn(BUDGET_PERIODS)
  budgetPeriod?: BudgetPeriod;
}

export class UpdateUserDto extends TermsDto implements UpdateUserRequest {
  @MayBeAbsent()
  @IsUsername()
  username?: string;

  /** '' keeps the current one. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value))
  @IsNewPassword()
  password?: string;

  @MayBeBlank()
  @IsFullName()
  fullName?: string;

  @MayBeBlank()
  @IsEmailAddress()
  email?: string;

  @MayBeBlank()
  @IsPhoneNumber()
  phoneNumber?: string;
}

export class UserBatchDto implements UserBatchRequest {
  @AreSmallIds(USER_BATCH_MAX)
  ids: number[];

  @IsObjectOf(() => TermsDto)
  changes: TermsDto;
}

export class PremiumDto {
  @IsBoolean()
  isPremium: boolean;
}
