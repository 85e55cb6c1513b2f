import { LIMITS, SEARCH_CHOICES, type SearchChoice } from '@tanya/contract';
import { IsIn, IsString } from 'class-validator';
import { MaxLength, MayBeAbsent, NullIsAbsent } from '../platform/http/dto.decorators.js';

/** The search backend, as it is stored with the settings and tested before. */
export class SearchFieldsDto {
  @MayBeAbsent()
  @IsIn(SEARCH_CHOICES)
  searchBackend?: SearchChoice;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  searxngUrl?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  braveApiKey?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  tavilyApiKey?: string;
}
