import { type KnownPassword, LIMITS, type NewPassword, TEXTS } from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsEmail, IsString, ValidateBy } from 'class-validator';
import { MaxLength, MayBeAbsent, MinLength, Trimmed } from '../platform/http/dto.decorators.js';
import { isUsername } from './username.js';
import { dictionary } from '@zxcvbn-ts/language-common';

/** Refused passwords: the most frequent ones of the dictionary that have the minimum length. */
const REFUSED_COUNT = 3000;

const common = new Set(
  dictionary.passwords.filter(({ length }) => length >= LIMITS.password.min).slice(0, REFUSED_COUNT),
);

/** Whether the password is among the first that a guessing attack tries. */
const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());

const { validation } = TEXTS;

const usernameLength = { message: `Username must have ${LIMITS.username.min} to ${LIMITS.username.max} characters` };
const passwordLength = {
  message: `Password must have ${LIMITS.password.min} to ${LIMITS.password.max} characters`,
};
const passwordRequired = { message: 'Password is required' };

const isText = (value: unknown): value is string => typeof value === 'string';

export const IsUsername = (): PropertyDecorator =>
  applyDecorators(
    Trimmed(),
    IsString(usernameLength),
    MinLength(LIMITS.username.min, usernameLength),
    MaxLength(LIMITS.username.max, usernameLength),
    ValidateBy(
      { name: 'isUsername', validator: { validate: (value) => isText(value) && isUsername(value) } },
      { message: 'Username contains invisible characters. Please remove them.' },
    ),
  );

export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString(passwordLength),
    MinLength(LIMITS.password.min, passwordLength),
    MaxLength(LIMITS.password.max, passwordLength),
    ValidateBy(
      { name: 'isUncommon', validator: { validate: (value) => isText(value) && !isCommonPassword(value) } },
      { message: 'This password is too easy to guess. Please choose another one.' },
    ),
  );

export class NewPasswordDto implements NewPassword {
  @IsNewPassword()
  newPassword: string;

  @MayBeAbsent()
  @IsBoolean()
  endApiKeys?: boolean;
}

/** An existing password. Only its length is bounded, so that old passwords still match and hashing stays cheap. */
export const IsKnownPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString(passwordRequired),
    MinLength(1, passwordRequired),
    MaxLength(LIMITS.password.max, passwordLength),
  );

export class KnownPasswordDto implements KnownPassword {
  @MayBeAbsent()
  @IsKnownPassword()
  password?: string;
}

export const IsFullName = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: validation.fullName }),
    MinLength(LIMITS.fullName.min, { message: validation.fullName }),
    MaxLength(LIMITS.fullName.max),
  );

export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    IsEmail({}, { message: validation.email }),
    MaxLength(LIMITS.email.max, { message: validation.email }),
  );

export const IsPhoneNumber = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: validation.phoneNumber }),
    MinLength(LIMITS.phoneNumber.min, { message: validation.phoneNumber }),
    MaxLength(LIMITS.phoneNumber.max),
  );
