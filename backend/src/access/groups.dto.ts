import {
  type ChangeGroupMembersRequest,
  type CreateGroupRequest,
  GROUP_LIMITS,
  type GroupMembers,
  LIMITS,
  type UpdateGroupRequest,
} from '@tanya/contract';
import { IsInt, IsString, Max, Min } from 'class-validator';
import {
  AreSmallIds,
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  OneLine,
  TrimmedOrNull,
} from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

const required = { message: 'Please enter a name.' };
const { name, externalName, membersOfCall } = GROUP_LIMITS;

class GroupTermsDto {
  @MayBeEmpty()
  @TrimmedOrNull()
  @IsString()
  @MaxLength(externalName.max)
  externalName?: string;

  @MayBeEmpty()
  @Min(LIMITS.quotaOverride.min)
  @Max(LIMITS.quotaOverride.max)
  @IsInt()
  quotaOverride?: number;

  @MayBeUsdAmount({ mayBeUnlimited: true })
  budgetUsd?: string;
}

export class CreateGroupDto extends GroupTermsDto implements CreateGroupRequest {
  @OneLine()
  @IsString(required)
  @MinLength(name.min, required)
  @MaxLength(name.max)
  name: string;
}

export class UpdateGroupDto extends GroupTermsDto implements UpdateGroupRequest {
  @MayBeAbsent()
  @OneLine()
  @IsString(required)
  @MinLength(name.min, required)
  @MaxLength(name.max)
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
