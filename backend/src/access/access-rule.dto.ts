import { ACCESS_GROUPS_MAX, ACCESS_MODES, type AccessMode, type AccessRule } from '@tanya/contract';
import { ArrayMaxSize, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { IsUnique, MayBeAbsent } from '../platform/http/dto.decorators.js';
import { MAX_SMALL_ID } from '../platform/http/id.pipe.js';

/** The access to something, in a request that creates or changes it. Omitted fields keep their value. */
export class AccessRuleDto implements Partial<AccessRule> {
  @MayBeAbsent()
  @IsIn(ACCESS_MODES)
  access?: AccessMode;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(ACCESS_GROUPS_MAX)
  @IsUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(MAX_SMALL_ID, { each: true })
  groupIds?: number[];
}
