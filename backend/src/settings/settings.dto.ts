import {
  BUDGET_PERIODS,
  type BudgetPeriod,
  type BuiltInTool,
  LIMITS,
  type MaxSteps,
  type Plan,
  PLANS,
  type QuotaPeriod,
  REGISTRATION_MODES,
  type RegistrationMode,
  SITE_LANGUAGES,
  type SiteLanguage,
  type TestProviderRequest,
  TEXTS,
  type TotpRequired,
  type UpdateSettingsRequest,
} from '@tanya/contract';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  IsUnique,
  EachOneLine,
  Ignored,
  MaxLength,
  MayBeAbsent,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import { MayBeUsdAmount } from '../platform/http/usd-amount.js';
import { SearchFieldsDto } from './search-fields.dto.js';
import { Nested } from '../platform/http/input-sizes.js';

const { validation } = TEXTS;

/** A link field; the service validates its text. */
const IsLink = (): PropertyDecorator => (target, key) => {
  for (const rule of [MayBeAbsent(), IsString(), MaxLength(LIMITS.linkUrl.max)]) rule(target, key);
};

/** A list of plans, each once. */
const IsPlans = (): PropertyDecorator => (target, key) => {
  for (const rule of [MayBeAbsent(), IsArray(), ArrayMaxSize(PLANS.length), IsUnique(), IsIn(PLANS, { each: true })])
    rule(target, key);
};

class BuiltInToolsDto implements Partial<Record<BuiltInTool, Plan[]>> {
  @IsPlans()
  web_search?: Plan[];

  @IsPlans()
  read_page?: Plan[];

  @IsPlans()
  current_time?: Plan[];

  @IsPlans()
  calculate?: Plan[];

  @IsPlans()
  create_image?: Plan[];
}

class TotpRequiredDto implements TotpRequired {
  @IsBoolean()
  admin: boolean;

  @IsBoolean()
  member: boolean;
}

/** Steps with tools of one plan. */
const IsSteps = (): PropertyDecorator => (target, key) => {
  for (const rule of [IsInt(), Min(LIMITS.maxSteps.min), Max(LIMITS.maxSteps.max)]) rule(target, key);
};

class MaxStepsDto implements MaxSteps {
  @IsSteps()
  guest: number;

  @IsSteps()
  free: number;

  @IsSteps()
  premium: number;
}

/** Decorators run from the last to the first: a number of the wrong type is reported as such, not as out of bounds. */
export class UpdateSettingsDto extends SearchFieldsDto implements UpdateSettingsRequest {
  @MayBeAbsent()
  @Trimmed()
  @IsString({ message: validation.siteTitleRequired })
  @MinLength(LIMITS.siteTitle.min, { message: validation.siteTitleRequired })
  @MaxLength(LIMITS.siteTitle.max, { message: validation.siteTitleLength })
  siteTitle?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString({ message: validation.welcomeMessageRequired })
  @MinLength(LIMITS.welcomeMessage.min, { message: validation.welcomeMessageRequired })
  @MaxLength(LIMITS.welcomeMessage.max, { message: validation.welcomeMessageLength })
  welcomeMessage?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.emptyThreadMessage.max)
  emptyThreadMessage?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString({ message: validation.systemPromptRequired })
  @MinLength(LIMITS.systemPrompt.min, { message: validation.systemPromptRequired })
  @MaxLength(LIMITS.systemPrompt.max, { message: validation.systemPromptLength })
  systemPrompt?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  openrouterApiKey?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.providerKey.max)
  openaiApiKey?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  openrouterBaseUrl?: string;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.baseUrl.max)
  openaiBaseUrl?: string;

  @MayBeAbsent()
  @Min(LIMITS.guestMessageQuota.min, { message: validation.quotaMin })
  @Max(LIMITS.guestMessageQuota.max, { message: validation.guestQuotaMax })
  @IsInt()
  guestMessageQuota?: number;

  @MayBeAbsent()
  @Min(LIMITS.freeUserMessageQuota.min, { message: validation.quotaMin })
  @Max(LIMITS.freeUserMessageQuota.max, { message: validation.freeQuotaMax })
  @IsInt()
  freeUserMessageQuota?: number;

  @MayBeAbsent()
  @Min(LIMITS.premiumUserMessageQuota.min, { message: validation.premiumQuotaMin })
  @Max(LIMITS.premiumUserMessageQuota.max, { message: validation.premiumQuotaMax })
  @IsInt()
  premiumUserMessageQuota?: number;

  @MayBeAbsent()
  @IsIn(['never', 'daily', 'monthly'] satisfies QuotaPeriod[])
  quotaPeriod?: QuotaPeriod;

  @MayBeAbsent()
  @Min(LIMITS.guestAddressDailyQuota.min, { message: validation.quotaMin })
  @Max(LIMITS.guestAddressDailyQuota.max)
  @IsInt()
  guestAddressDailyQuota?: number;

  @MayBeAbsent()
  @Min(LIMITS.guestHourlyBudget.min, { message: validation.quotaMin })
  @Max(LIMITS.guestHourlyBudget.max)
  @IsInt()
  guestHourlyBudget?: number;

  @MayBeUsdAmount()
  freeUserBudgetUsd?: string;

  @MayBeUsdAmount()
  premiumUserBudgetUsd?: string;

  @MayBeAbsent()
  @IsIn(BUDGET_PERIODS)
  userBudgetPeriod?: BudgetPeriod;

  @MayBeUsdAmount()
  installationBudgetUsd?: string;

  @MayBeAbsent()
  @IsIn(BUDGET_PERIODS)
  installationBudgetPeriod?: BudgetPeriod;

  @MayBeAbsent()
  @IsIn(REGISTRATION_MODES)
  registrationMode?: RegistrationMode;

  @MayBeAbsent()
  @IsBoolean()
  sharingEnabled?: boolean;

  @IsLink()
  upgradeUrl?: string;

  @IsLink()
  guestSignupUrl?: string;

  @IsLink()
  proAppUrl?: string;

  @IsLink()
  termsUrl?: string;

  @IsLink()
  contactUrl?: string;

  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Nested(() => MaxStepsDto)
  maxSteps?: MaxStepsDto;

  @MayBeAbsent()
  @EachOneLine()
  @IsArray()
  @ArrayMaxSize(LIMITS.starters, { message: `At most ${LIMITS.starters} ideas can be saved.` })
  @IsUnique({ message: 'An idea is listed twice. Please remove one.' })
  @IsString({ each: true })
  @MinLength(LIMITS.starter.min, { each: true })
  @MaxLength(LIMITS.starter.max, { each: true })
  starters?: string[];

  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Nested(() => TotpRequiredDto)
  totpRequired?: TotpRequiredDto;

  @MayBeAbsent()
  @IsIn(SITE_LANGUAGES)
  defaultLanguage?: SiteLanguage;

  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Nested(() => BuiltInToolsDto)
  builtInTools?: BuiltInToolsDto;

  /** Read-only fields, ignored so that a client can send back the settings that it has read. */
  @Ignored()
  links?: unknown;

  @Ignored()
  passwordReset?: unknown;

  @Ignored()
  demo?: unknown;

  @Ignored()
  installationBudget?: unknown;

  @Ignored()
  warnings?: unknown;

  @Ignored()
  updatedAt?: unknown;
}

export class TestProviderDto implements TestProviderRequest {
  @IsIn(['openrouter', 'openai'] satisfies TestProviderRequest['provider'][])
  provider: TestProviderRequest['provider'];
}
