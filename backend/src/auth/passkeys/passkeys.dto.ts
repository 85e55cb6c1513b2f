import { type AddPasskeyRequest, LIMITS, type PasskeyLoginRequest } from '@tanya/contract';
import { IsBoolean, IsInt, IsObject, IsString } from 'class-validator';
import { MaxLength, MayBeAbsent, MinLength, OneLine } from '../../platform/http/dto.decorators.js';

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
