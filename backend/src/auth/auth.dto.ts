import type {
  ChangePasswordRequest,
  DeleteAccountRequest,
  LoginRequest,
  RegisterRequest,
  UpdateProfileRequest,
} from '@tanya/contract';
import { LIMITS } from '@tanya/contract';
import { IsBoolean, IsString } from 'class-validator';
import {
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  Trimmed,
  TrimmedOrNull,
} from '../platform/http/dto.decorators.js';
import {
  IsEmailAddress,
  IsFullName,
  IsKnownPassword,
  IsNewPassword,
  IsPhoneNumber,
  IsUsername,
} from '../users/account-fields.js';

const usernameRequired = { message: 'Username is required' };

export class LoginDto implements LoginRequest {
  @Trimmed()
  @IsString(usernameRequired)
  @MinLength(1, usernameRequired)
  @MaxLength(LIMITS.username.max)
  username: string;

  @IsKnownPassword()
  password: string;

  @MayBeAbsent()
  @IsBoolean()
  rememberMe?: boolean;
}

/** The forms require email and phone number. The API accepts a request without them, but validates given values. */
export class ProfileDto implements UpdateProfileRequest {
  @MayBeEmpty()
  @TrimmedOrNull()
  @IsFullName()
  fullName?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsEmailAddress()
  email?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsPhoneNumber()
  phoneNumber?: string;
}

export class RegisterDto extends ProfileDto implements RegisterRequest {
  @IsUsername()
  username: string;

  @IsNewPassword()
  password: string;
}

export class ChangePasswordDto implements ChangePasswordRequest {
  @IsKnownPassword()
  currentPassword: string;

  @IsNewPassword()
  newPassword: string;
}

export class DeleteAccountDto implements DeleteAccountRequest {
  @IsKnownPassword()
  password: string;
}
