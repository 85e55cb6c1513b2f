import {
  type CreateInvitationRequest,
  INVITATION_GROUPS_MAX,
  INVITATION_PLANS,
  type InvitationPlan,
} from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsISO8601, Max, Min } from 'class-validator';
import { IsUnique, MayBeAbsent, MayBeEmpty, TrimmedOrNull } from '../../platform/http/dto.decorators.js';
import { MAX_SMALL_ID } from '../../platform/http/id.pipe.js';
import { IsEmailAddress } from '../../users/account-fields.js';

export class CreateInvitationDto implements CreateInvitationRequest {
  @MayBeEmpty()
  @TrimmedOrNull()
  @IsEmailAddress()
  email?: string | null;

  @MayBeAbsent()
  @IsIn(INVITATION_PLANS)
  plan?: InvitationPlan;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(INVITATION_GROUPS_MAX)
  @IsUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(MAX_SMALL_ID, { each: true })
  groupIds?: number[];

  @MayBeEmpty()
  @IsISO8601({ strict: true })
  expiresAt?: string | null;
}
