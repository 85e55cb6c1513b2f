import { Badge, Flex, Input, NativeSelect, SimpleGrid, Stack } from '@chakra-ui/react';
import { LIMITS, SEARCH_CHOICES } from '@tanya/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { FormField } from '../../../components/forms/form-field';
import { PasswordInput } from '../../../components/forms/password-input';
import { TestResult } from '../connections/test-result';
import type { SettingsValues } from '../settings-rules';
import { SearchHealth } from './search-health';
import { useTestSearch } from './search.query';

const FIELDS = ['searchBackend', 'searxngUrl', 'braveApiKey', 'tavilyApiKey'] as const;

/** The service of the web search, its test and its last outcome. */
export function SearchFields() {
  const { register, control, formState } = useFormContext<SettingsValues>();
  const { errors, dirtyFields } = formState;
  const values = useWatch({ control, name: FIELDS });
  const test = useTestSearch(values);
  // Fields that were not changed come from the saved settings, whose keys the page does not have.
  const tryOut = () => {
    const entered = FIELDS.map((name, index) => [name, values[index]!.trim()] as const);
    test.mutate(Object.fromEntries(entered.filter(([name]) => dirtyFields[name])));
  };
  return (
    <Stack gap="4">
      <FormField label={t('toolSettings.service')} hint={t('toolSettings.serviceHint')}>
        <NativeSelect.Root maxW="20rem">
          <NativeSelect.Field {...register('searchBackend')}>
            {SEARCH_CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {t(`toolSettings.${choice}`)}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </FormField>
      <FormField
        label={t('toolSettings.searxngUrl')}
        hint={t('toolSettings.searxngHint')}
        error={errors.searxngUrl?.message}
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={LIMITS.baseUrl.max}
          placeholder="https://searx.example.org"
          {...register('searxngUrl')}
        />
      </FormField>
      <SimpleGrid minChildWidth="16rem" gap="4">
        <KeyField name="braveApiKey" provider="Brave" />
        <KeyField name="tavilyApiKey" provider="Tavily" />
      </SimpleGrid>
      <Flex align="center" gap="3" wrap="wrap">
        <LoadingButton size="xs" variant="outline" loading={test.isPending} onClick={tryOut}>
          {t('toolSettings.test')}
        </LoadingButton>
        <TestResult test={test} />
      </Flex>
      <SearchHealth />
    </Stack>
  );
}

function KeyField({ name, provider }: { name: 'braveApiKey' | 'tavilyApiKey'; provider: string }) {
  const { register, control, formState } = useFormContext<SettingsValues>();
  const filled = useWatch({ control, name }) !== '';
  return (
    <FormField
      label={
        <Flex as="span" gap="2" align="center">
          {t('settingsPage.key', { provider })}
          {filled && (
            <Badge size="xs" colorPalette="jade">
              {t('settings.keySet')}
            </Badge>
          )}
        </Flex>
      }
      hint={filled ? t('settingsPage.clearHint') : undefined}
      error={formState.errors[name]?.message}
    >
      <PasswordInput
        autoComplete="new-password"
        fontFamily="mono"
        maxLength={LIMITS.providerKey.max}
        // The masked key can only be replaced as a whole.
        onFocus={(event) => event.target.select()}
        {...register(name)}
      />
    </FormField>
  );
}
