import {
  CONNECTION_KINDS,
  type ConnectionKind,
  type CreateConnectionRequest,
  LIMITS,
  type TestConnectionRequest,
  type UpdateConnectionRequest,
} from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { IsName, MaxLength, MayBeAbsent, NullIsAbsent } from '../platform/http/dto.decorators.js';
import { MAX_SMALL_ID } from '../platform/http/id.pipe.js';

const IsBaseUrl = () => applyDecorators(IsString(), MaxLength(LIMITS.baseUrl.max));
const IsApiKey = () => applyDecorators(IsString(), MaxLength(LIMITS.providerKey.max));

export class CreateConnectionDto implements CreateConnectionRequest {
  @IsIn(CONNECTION_KINDS)
  kind: ConnectionKind;

  @IsName(LIMITS.connectionName)
  name: string;

  @NullIsAbsent()
  @IsBaseUrl()
  baseUrl?: string;

  @NullIsAbsent()
  @IsApiKey()
  apiKey?: string;

  @NullIsAbsent()
  @IsBoolean()
  enabled?: boolean;
}

export class UpdateConnectionDto implements UpdateConnectionRequest {
  @MayBeAbsent()
  @IsName(LIMITS.connectionName)
  name?: string;

  @MayBeAbsent()
  @IsBaseUrl()
  baseUrl?: string;

  @MayBeAbsent()
  @IsApiKey()
  apiKey?: string;

  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @MayBeAbsent()
  @Min(1)
  @Max(LIMITS.connections)
  @IsInt()
  position?: number;
}

export class TestConnectionDto implements TestConnectionRequest {
  @NullIsAbsent()
  @Min(1)
  @Max(MAX_SMALL_ID)
  @IsInt()
  id?: number;

  @NullIsAbsent()
  @IsIn(CONNECTION_KINDS)
  kind?: ConnectionKind;

  @NullIsAbsent()
  @IsBaseUrl()
  baseUrl?: string;

  @NullIsAbsent()
  @IsApiKey()
  apiKey?: string;
}
