import {
  type CompleteSignInRequest,
  type CreateIdentityProviderRequest,
  IDENTITY_PROVIDER_LIMITS,
  PROVISION_MODES,
  type ProvisionMode,
  type TestIdentityProviderRequest,
  type UpdateIdentityProviderRequest,
} from '@tanya/contract';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString } from 'class-validator';
import {
  MaxLength,
  MayBeAbsent,
  MayBeBlank,
  MinLength,
  NullIsAbsent,
  OneLine,
  Trimmed,
} from '../../platform/http/dto.decorators.js';

const { label, issuer, clientId, clientSecret, scopes, claim, group, secondFactorValues } = IDENTITY_PROVIDER_LIMITS;

const IsLabel = () => applyDecorators(OneLine(), IsString(), MinLength(label.min), MaxLength(label.max));
const IsIssuer = () => applyDecorators(Trimmed(), IsString(), MaxLength(issuer.max));
const IsClientId = () => applyDecorators(Trimmed(), IsString(), MinLength(clientId.min), MaxLength(clientId.max));
const IsClientSecret = () =>
  applyDecorators(Trimmed(), IsString(), MinLength(clientSecret.min), MaxLength(clientSecret.max));

class OptionalFieldsDto {
  /** Separated by spaces. A list of them is taken too. */
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.join(' ') : value))
  @MayBeBlank()
  @IsString()
  @MaxLength(scopes.max)
  scopes?: string | null;

  @MayBeBlank()
  @IsString()
  @MaxLength(claim.max)
  groupClaim?: string | null;

  @MayBeBlank()
  @IsString()
  @MaxLength(group.max)
  adminGroup?: string | null;

  @MayBeBlank()
  @IsString()
  @MaxLength(group.max)
  premiumGroup?: string | null;

  @NullIsAbsent()
  @IsBoolean()
  trustsSecondFactor?: boolean;

  @OneLine()
  @MayBeBlank()
  @IsString()
  @MaxLength(secondFactorValues.max)
  secondFactorValues?: string | null;
}

export class CreateIdentityProviderDto extends OptionalFieldsDto implements CreateIdentityProviderRequest {
  @IsLabel()
  label: string;

  @IsIssuer()
  issuer: string;

  @IsClientId()
  clientId: string;

  @IsClientSecret()
  clientSecret: string;

  @IsIn(PROVISION_MODES)
  provision: ProvisionMode;
}

export class UpdateIdentityProviderDto extends OptionalFieldsDto implements UpdateIdentityProviderRequest {
  @MayBeAbsent()
  @IsLabel()
  label?: string;

  @MayBeAbsent()
  @IsIssuer()
  issuer?: string;

  @MayBeAbsent()
  @IsClientId()
  clientId?: string;

  @MayBeAbsent()
  @IsClientSecret()
  clientSecret?: string;

  @MayBeAbsent()
  @IsIn(PROVISION_MODES)
  provision?: ProvisionMode;
}

export class TestIdentityProviderDto implements TestIdentityProviderRequest {
  @IsIssuer()
  issuer: string;
}

export class CompleteSignInDto implements CompleteSignInRequest {
  /** Any text is accepted, so that a mistyped code gets `totp_invalid`. */
  @Trimmed()
  @IsString({ message: 'Enter the code of your authenticator app' })
  code: string;
}
