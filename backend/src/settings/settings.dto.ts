import {
  READ_ONLY_FIELDS,
  SEARCH_SETTINGS,
  SETTING_NAMES,
  type TestProviderRequest,
  type TestSearchRequest,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import { IsIn } from 'class-validator';
import { Ignored } from '../platform/http/dto.decorators.js';
import { HasSettings } from './setting-rules.js';

@HasSettings(SETTING_NAMES)
export class UpdateSettingsDto implements UpdateSettingsRequest {}

for (const name of READ_ONLY_FIELDS) Ignored()(UpdateSettingsDto.prototype, name);

/** The search service, tested before it is saved. */
@HasSettings(SEARCH_SETTINGS)
export class SearchFieldsDto implements TestSearchRequest {}

export class TestProviderDto implements TestProviderRequest {
  @IsIn(['openrouter', 'openai'] satisfies TestProviderRequest['provider'][])
  provider: TestProviderRequest['provider'];
}
