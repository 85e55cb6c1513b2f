import { LIMITS, SEARCH_CHOICES, type SearchChoice, type TestSearchRequest } from '@tanya/contract';
import { IsIn, IsString } from 'class-validator';
import { MaxLength, MayBeAbsent } from '../../platform/http/dto.decorators.js';

export class TestSearchDto implements TestSearchRequest {
  @MayBeAbsent()
  @IsIn(SEARCH_CHOICES)
  searchBackend?: SearchChoice;

  @MayBeAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  searxngUrl?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  braveApiKey?: string;

  @MayBeAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  tavilyApiKey?: string;
}
