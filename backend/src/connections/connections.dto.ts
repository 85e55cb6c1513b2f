import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type CreateConnectionRequest,
  LIMITS,
  type TestConnectionRequest,
  type UpdateConnectionRequest,
} from '@tanya/contract';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { MaxLength, MayBeAbsent, MinLength, NullIsAbsent, OneLine } from '../platform/http/dto.decorators.js';

const required = { message: 'Please enter a name.' };
const MAX_ID = 2_147_483_647;

export class CreateConnectionDto implements CreateConnectionRequest {
  @IsIn(CONNECTION_KINDS)
  kind: ConnectionKind;

  @OneLine()
  @IsString(required)
  @MinLength(LIMITS.connectionName.min, required)
  @MaxLength(LIMITS.connectionName.max)
  name: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  baseUrl?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  apiKey?: string;

  @NullIsAbsent()
  @IsBoolean()
  enabled?: boolean;
}

export class UpdateConnectionDto implements UpdateConnectionRequest {
  @MayBeAbsent()
  @OneLine()
  @IsString(required)
  @MinLength(LIMITS.connectionName.min, required)
  @MaxLength(LIMITS.connectionName.max)
  name?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  baseUrl?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  apiKey?: string;

  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(LIMITS.connections)
  position?: number;
}

export class TestConnectionDto implements TestConnectionRequest {
  @NullIsAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  id?: number;

  @NullIsAbsent()
  @IsIn(CONNECTION_KINDS)
  kind?: ConnectionKind;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  baseUrl?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  apiKey?: string;
}
