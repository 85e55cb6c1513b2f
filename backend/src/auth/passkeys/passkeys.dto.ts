import {
  type AddPasskeyRequest,
  LIMITS,
  type PasskeyLoginRequest,
  type PasskeyOptionsRequest,
  type RemovePasskeyRequest,
} from '@tanya/contract';
import { IsBoolean, IsInt, IsObject, IsString } from 'class-validator';
import { MaxLength, MayBeAbsent, MinLength, OneLine } from '../../platform/http/dto.decorators.js';
import { IsKnownPassword } from '../../users/account-fields.js';

export class PasskeyOptionsDto implements PasskeyOptionsRequest, RemovePasskeyRequest {
  @MayBeAbsent()
  @IsKnownPassword()
  password?: string;
}

export class AddPasskeyDto implements AddPasskeyRequest {
  @OneLine()
  @IsString()
  @MinLength(LIMITS.passkeyName.min)
  @MaxLength(LIMITS.passkeyName.max)
  name: string;

  @IsObject()
  response: Record<string, unknown>;
}

export class PasskeyLoginDto implements PasskeyLoginRequest {
  @IsObject()
  response: Record<string, unknown>;

  @MayBeAbsent()
  @IsBoolean()
  rememberMe?: boolean;

  @MayBeAbsent()
  @IsInt()
  userId?: number;
}
