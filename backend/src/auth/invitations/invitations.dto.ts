import {
  type CreateInvitationRequest,
  INVITATION_GROUPS_MAX,
  INVITATION_PLANS,
  type InvitationPlan,
} from '@tanya/contract';
import { IsIn, IsISO8601 } from 'class-validator';
import { AreSmallIds, MayBeAbsent, MayBeBlank, MayBeEmpty } from '../../platform/http/dto.decorators.js';
import { IsEmailAddress } from '../../users/account-fields.js';

export class CreateInvitationDto implements CreateInvitationRequest {
  @MayBeBlank()
  @IsEmailAddress()
  email?: string | null;

  @MayBeAbsent()
  @IsIn(INVITATION_PLANS)
  plan?: InvitationPlan;

  @MayBeAbsent()
  @AreSmallIds(INVITATION_GROUPS_MAX)
  groupIds?: number[];

  @MayBeEmpty()
  @IsISO8601({ strict: true })
  expiresAt?: string | null;
}
