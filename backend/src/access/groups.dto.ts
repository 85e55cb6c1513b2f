import {
  type ChangeGroupMembersRequest,
  type CreateGroupRequest,
  GROUP_LIMITS,
  type GroupMembers,
  LIMITS,
  type UpdateGroupRequest,
} from '@tanya/contract';
import { IsString } from 'class-validator';
import {
  AreSmallIds,
  IsName,
  IsWholeWithin,
  MaxLength,
  MayBeAbsent,
  MayBeBlank,
  MayBeEmpty,
} from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

const { name, externalName, membersOfCall } = GROUP_LIMITS;

class GroupTermsDto {
  @MayBeBlank()
  @IsString()
  @MaxLength(externalName.max)
  externalName?: string;

  @MayBeEmpty()
  @IsWholeWithin(LIMITS.quotaOverride)
  quotaOverride?: number;

  @MayBeUsdAmount({ mayBeUnlimited: true })
  budgetUsd?: string;
}

export class CreateGroupDto extends GroupTermsDto implements CreateGroupRequest {
  @IsName(name)
  name: string;
}

export class UpdateGroupDto extends GroupTermsDto implements UpdateGroupRequest {
  @MayBeAbsent()
  @IsName(name)
  name?: string;
}

export class GroupMembersDto implements GroupMembers {
  @AreSmallIds(membersOfCall)
  userIds: number[];
}

export class ChangeGroupMembersDto implements ChangeGroupMembersRequest {
  @MayBeAbsent()
  @AreSmallIds(membersOfCall)
  add?: number[];

  @MayBeAbsent()
  @AreSmallIds(membersOfCall)
  remove?: number[];
}
