import {
  BUDGET_PERIODS,
  type BudgetPeriod,
  type CreateUserRequest,
  LIMITS,
  type ResetPasswordRequest,
  type UpdateUserRequest,
} from '@tanya/contract';
import { Transform } from 'class-transformer';
import { Equals, IsBoolean, IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MayBeAbsent, MayBeEmpty, TrimmedOrNull } from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';
import { IsEmailAddress, IsFullName, IsNewPassword, IsPhoneNumber, IsUsername } from '../users/account-fields.js';

/** Optional fields; '' and null clear them. */
class ContactDto {
  @MayBeEmpty()
  @TrimmedOrNull()
  @IsFullName()
  fullName?: string;

  @MayBeEmpty()
  @TrimmedOrNull()
  @IsEmailAddress()
  email?: string;

  @MayBeEmpty()
  @TrimmedOrNull()
  @IsPhoneNumber()
  phoneNumber?: string;

  @MayBeAbsent()
  @IsBoolean()
  isPremium?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  isAdmin?: boolean;
}

export class CreateUserDto extends ContactDto implements CreateUserRequest {
  @IsUsername()
  username: string;

  @ValidateIf(({ isService, password }: CreateUserDto) => isService !== true || password !== undefined)
  @IsNewPassword()
  password?: string;

  @MayBeAbsent()
  @IsBoolean()
  isService?: boolean;
}

export class UpdateUserDto extends ContactDto implements UpdateUserRequest {
  @MayBeAbsent()
  @IsUsername()
  username?: string;

  /** '' keeps the current one. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value))
  @IsNewPassword()
  password?: string;

  @MayBeAbsent()
  @Equals(true, { message: 'An approval cannot be withdrawn. Please delete the account instead.' })
  isApproved?: true;

  @MayBeAbsent()
  @IsBoolean()
  isSuspended?: boolean;

  @MayBeEmpty()
  @Min(LIMITS.quotaOverride.min)
  @Max(LIMITS.quotaOverride.max)
  @IsInt()
  quotaOverride?: number;

  @MayBeUsdAmount()
  budgetUsd?: string;

  @MayBeEmpty()
  @IsIn(BUDGET_PERIODS)
  budgetPeriod?: BudgetPeriod;
}

export class PremiumDto {
  @IsBoolean()
  isPremium: boolean;
}

export class ResetPasswordDto implements ResetPasswordRequest {
  @IsNewPassword()
  newPassword: string;
}
