import { Button, Fieldset, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import { UNLIMITED, SETTINGS, settingsOf, type Budget, type EmbeddingCost, type ShareCounts } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t, findText } from '../../app/i18n/translate';
import { PlanNumbers } from './plan-numbers';
import { SettingField } from './setting-field';
import { wholeRule } from './setting-rule';
import type { LimitField, SettingsValues } from './setting-values';
import { FormField } from '../../components/forms/form-field';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../app/queries/settings.query';
import { budgetUse } from '../../components/forms/budget-values';
import { formatDecimal } from '../../app/i18n/formats';
import { formatUsd } from '../../app/i18n/report-formats';
import { api } from '../../app/api/api-client';

export const AppearanceFields = () => (
  <Stack gap="4">
    <SettingField name="siteTitle" />
    <SettingField name="welcomeMessage" rows={2} />
    <SettingField name="emptyThreadMessage" />
    <SettingField name="systemPrompt" rows={4} />
    <SettingField name="defaultLanguage" />
  </Stack>
);

export function QuotaFields() {
  const { setValue } = useFormContext<SettingsValues>();
  const lift = () =>
    setValue('premiumUserMessageQuota', String(UNLIMITED), { shouldDirty: true, shouldValidate: true });
  return (
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField name="guestMessageQuota" label={t('settingsPage.guest')} />
      <SettingField name="freeUserMessageQuota" label={t('settingsPage.freeUser')} />
      <SettingField
        name="premiumUserMessageQuota"
        label={t('settingsPage.premiumUser')}
        hint={t('validation.premiumQuotaMin')}
      >
        <Button variant="outline" onClick={lift}>
          {t('settings.setUnlimited')}
        </Button>
      </SettingField>
      <SettingField name="quotaPeriod" />
      <SettingField name="guestAddressDailyQuota" label={t('settingsPage.address')} />
      <SettingField name="guestHourlyBudget" label={t('settingsPage.hourly')} />
    </SimpleGrid>
  );
}

export const RegistrationFields = () => (
  <Stack gap="4">
    <SettingField name="registrationMode" />
    <SettingField name="allowedEmailDomains" />
    <SettingField name="guestsEnabled" />
  </Stack>
);

export const TwoFactorFields = () => (
  <Stack gap="4">
    <SettingField name="totpRequired" label={t('settingsPage.totpRequired')} />
    <SettingField name="passwordLogin" />
  </Stack>
);

export function LinkFields() {
  const { defaultValues } = useFormContext<SettingsValues>().formState;
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Stack gap="4">
      {settingsOf('link').map((name) => (
        <SettingField
          key={name}
          name={name}
          hint={findText(`settingHints.${name}`, { upgrade: t('chat.upgrade') }) ?? undefined}
          // Where the settings have no link, the one in effect is the environment's.
          placeholder={(defaultValues?.[name] === '' && settings?.links[name]) || 'https://'}
        />
      ))}
    </Stack>
  );
}

export const BudgetFields = ({ budget }: { budget: Budget | null }) => (
  <Stack gap="4">
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField name="freeUserBudgetUsd" label={t('budgets.free')} />
      <SettingField name="premiumUserBudgetUsd" label={t('budgets.premium')} />
      <SettingField name="userBudgetPeriod" label={t('budgets.memberPeriod')} />
    </SimpleGrid>
    <SimpleGrid minChildWidth="16rem" gap="4">
      <SettingField
        name="installationBudgetUsd"
        label={t('budgets.installation')}
        hint={[t('budgets.installationHint'), budget && budgetUse(budget)].filter(Boolean).join(' ')}
      />
      <SettingField name="installationBudgetPeriod" label={t('budgets.installationPeriod')} />
    </SimpleGrid>
  </Stack>
);

export const ApiFields = () => (
  <Stack gap="4">
    <SettingField name="apiAccess" />
    <PlanNumbers name="apiRequestsPerMinute" />
    <PlanNumbers name="apiTokensPerMinute" />
  </Stack>
);

/** Own ideas replace the generated ones. */
export function GeneratedIdeasField() {
  const own = useFormContext<SettingsValues>().watch('starters');
  return own === '' && <SettingField name="generatedIdeas" />;
}

export function SharingFields() {
  const { data: counts } = useQuery({
    queryKey: ['admin', 'shares'],
    queryFn: ({ signal }) => api.get<ShareCounts>('/api/admin/shares', signal),
  });
  return (
    <>
      <SettingField name="sharingEnabled" />
      {counts && <Text color="fg.muted">{countsText(counts)}</Text>}
    </>
  );
}

const MEGABYTE = 1024 * 1024;

function countsText({ links, accounts, files, fileBytes }: ShareCounts): string {
  const size = formatDecimal(fileBytes / MEGABYTE);
  return t('settingsPage.sharingCounts', { links, accounts, files, size });
}

export function TaskModelFields() {
  const hasTitles = useFormContext<SettingsValues>().watch('generatedTitles') === 'on';
  return (
    <Stack gap="4">
      <SettingField name="generatedTitles" />
      {hasTitles && <SettingField name="titleModelId" />}
      <SettingField name="summaryModelId" />
      <SettingField name="allowDearerFallback" />
      <SettingField name="transcriptionModelId" />
    </Stack>
  );
}

const { names: PROJECT_PLANS, parts: PROJECT_PARTS } = SETTINGS.projectLimits;

const PART_NAMES = ['files', 'bytes', 'characters'] as const satisfies (keyof typeof PROJECT_PARTS)[];

/** What the site pays for the files that are there when the chosen model is saved. */
function EmbeddingCostText() {
  const modelId = useFormContext<SettingsValues>().watch('embeddingModelId');
  const { data: cost } = useQuery({
    queryKey: ['admin', 'embeddings', modelId],
    queryFn: ({ signal }) =>
      api.get<EmbeddingCost>(`/api/admin/embeddings?modelId=${encodeURIComponent(modelId)}`, signal),
    enabled: modelId !== '',
    retry: false,
  });
  if (modelId === '' || cost === undefined || cost.files === 0) return null;
  const { files, usd } = cost;
  return (
    <Text color="fg.muted" textStyle="sm">
      {usd === null
        ? t('settingsPage.embeddingCostUnknown', { files })
        : t('settingsPage.embeddingCost', { files, usd: formatUsd(usd) })}
    </Text>
  );
}

/** How projects are searched, and what one may keep, by the plan of its owner. */
export function ProjectFields() {
  const { register, watch, formState } = useFormContext<SettingsValues>();
  return (
    <>
      <SettingField name="embeddingModelId" />
      <EmbeddingCostText />
      {PROJECT_PLANS.map((plan) => (
        <Fieldset.Root key={plan}>
          <Fieldset.Legend textStyle="sm">{t(`projectLimits.plan.${plan}`)}</Fieldset.Legend>
          <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4" mt="2">
            {PART_NAMES.map((part) => {
              const field: LimitField = `projectLimits_${plan}_${part}`;
              const megabytes = part === 'bytes' ? Number(watch(field)) / MEGABYTE : NaN;
              return (
                <FormField
                  key={part}
                  label={t(`projectLimits.part.${part}`)}
                  hint={
                    Number.isFinite(megabytes)
                      ? t('projectLimits.megabytes', { size: formatDecimal(megabytes) })
                      : undefined
                  }
                  error={formState.errors[field]?.message}
                >
                  <Input
                    type="number"
                    inputMode="numeric"
                    {...PROJECT_PARTS[part]}
                    {...register(field, { validate: wholeRule(PROJECT_PARTS[part]) })}
                  />
                </FormField>
              );
            })}
          </SimpleGrid>
        </Fieldset.Root>
      ))}
    </>
  );
}
