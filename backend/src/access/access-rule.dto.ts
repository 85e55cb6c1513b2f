import { ACCESS_GROUPS_MAX, ACCESS_MODES, type AccessMode, type AccessRule } from '@tanya/contract';
import { IsIn } from 'class-validator';
import { AreSmallIds, MayBeAbsent } from '../platform/http/dto.decorators.js';

/** The access to something, in a request that creates or changes it. Omitted fields keep their value. */
export class AccessRuleDto implements Partial<AccessRule> {
  @MayBeAbsent()
  @IsIn(ACCESS_MODES)
  access?: AccessMode;

  @MayBeAbsent()
  @AreSmallIds(ACCESS_GROUPS_MAX)
  groupIds?: number[];
}
