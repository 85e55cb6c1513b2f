import type {
  ChangePasswordRequest,
  ConfirmEmailRequest,
  ConfirmPasswordResetRequest,
  ConfirmTotpRequest,
  DisableTotpRequest,
  EnrollTotpRequest,
  Language,
  LoginRequest,
  PasswordResetRequest,
  RegisterRequest,
  UpdateProfileRequest,
} from '@tanya/contract';
import { LANGUAGES, LIMITS } from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import {
  MaxLength,
  MayBeAbsent,
  MayBeBlank,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import {
  IsEmailAddress,
  IsFullName,
  IsKnownPassword,
  IsNewPassword,
  IsPhoneNumber,
  IsUsername,
  NewPasswordDto,
} from '../users/account-fields.js';

const codeRequired = { message: 'Enter the code of your authenticator app' };

/** A TOTP or recovery code. Any text is accepted, so that a mistyped code gets `totp_invalid`. */
const IsTotpCode = (): PropertyDecorator => applyDecorators(Trimmed(), IsString(codeRequired));

const usernameRequired = { message: 'Username is required' };

export class LoginDto implements LoginRequest {
  @Trimmed()
  @IsString(usernameRequired)
  @MinLength(1, usernameRequired)
  @MaxLength(LIMITS.email.max)
  username: string;

  @IsKnownPassword()
  password: string;

  @MayBeAbsent()
  @IsBoolean()
  rememberMe?: boolean;

  @NullIsAbsent()
  @IsTotpCode()
  code?: string;
}

/** The forms require email and phone number. The API accepts a request without them, but validates given values. */
class ProfileDto {
  @MayBeBlank()
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

/** A change of the own account. `email` needs `currentPassword` when it differs from the stored one. */
export class UpdateProfileDto extends ProfileDto implements UpdateProfileRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  currentPassword?: string;

  @MayBeEmpty()
  @IsIn(LANGUAGES)
  language?: Language | null;
}

export class RegisterDto extends ProfileDto implements RegisterRequest {
  /** Any text is accepted, so that a damaged link gets `invitation_invalid`. */
  @NullIsAbsent()
  @IsString()
  invitation?: string;

  @IsUsername()
  username: string;

  @IsNewPassword()
  password: string;
}

export class ConfirmEmailDto implements ConfirmEmailRequest {
  /** Any text is accepted, so that a damaged link gets `confirmation_invalid`. */
  @IsString()
  token: string;

  @NullIsAbsent()
  @IsBoolean()
  isPressed?: boolean;
}

export class ChangePasswordDto extends NewPasswordDto implements ChangePasswordRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  currentPassword?: string;
}

export class PasswordResetDto implements PasswordResetRequest {
  @Trimmed()
  @IsEmailAddress()
  email: string;
}

export class ConfirmPasswordResetDto extends NewPasswordDto implements ConfirmPasswordResetRequest {
  /** Any text is accepted, so that a damaged link gets `reset_invalid`. */
  @IsString()
  token: string;
}

export class EnrollTotpDto implements EnrollTotpRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  password?: string;

  @NullIsAbsent()
  @IsTotpCode()
  code?: string;
}

export class ConfirmTotpDto implements ConfirmTotpRequest {
  @IsTotpCode()
  code: string;
}

export class DisableTotpDto implements DisableTotpRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  password?: string;

  @IsTotpCode()
  code: string;
}
