import {
  type ChangeGroupMembersRequest,
  type CreateGroupRequest,
  GROUP_LIMITS,
  type GroupMembers,
  LIMITS,
  type UpdateGroupRequest,
} from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import {
  IsUnique,
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  OneLine,
  TrimmedOrNull,
} from '../platform/http/dto.decorators.js';
import { MAX_SMALL_ID } from '../platform/http/id.pipe.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';

const required = { message: 'Please enter a name.' };
const { name, externalName, membersOfCall } = GROUP_LIMITS;

/** The decorators of a list of accounts. */
const AreUserIds = (): PropertyDecorator => (target, key) => {
  IsArray()(target, key);
  ArrayMaxSize(membersOfCall)(target, key);
  IsUnique()(target, key);
  IsInt({ each: true })(target, key);
  Min(1, { each: true })(target, key);
  Max(MAX_SMALL_ID, { each: true })(target, key);
};

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
  @AreUserIds()
  userIds: number[];
}

export class ChangeGroupMembersDto implements ChangeGroupMembersRequest {
  @MayBeAbsent()
  @AreUserIds()
  add?: number[];

  @MayBeAbsent()
  @AreUserIds()
  remove?: number[];
}
