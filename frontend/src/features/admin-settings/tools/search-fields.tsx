import { Flex, SimpleGrid, Stack } from '@chakra-ui/react';
import { type SearchChoice, SEARCH_SETTINGS } from '@tanya/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { TestResult } from '../connections/test-result';
import { SettingField } from '../setting-field';
import type { SettingsValues } from '../setting-values';
import { SearchHealth } from './search-health';
import { useTestSearch } from './search.query';

const CHOICES = {
  auto: 'toolSettings.auto',
  searxng: 'toolSettings.searxng',
  brave: 'toolSettings.brave',
  tavily: 'toolSettings.tavily',
  off: 'toolSettings.off',
} as const satisfies Record<SearchChoice, string>;

/** The service of the web search, its test and its last outcome. */
export function SearchFields() {
  const { control, formState } = useFormContext<SettingsValues>();
  const { dirtyFields } = formState;
  const values = useWatch({ control, name: SEARCH_SETTINGS });
  const test = useTestSearch(values);
  // Fields that were not changed come from the saved settings, whose keys the page does not have.
  const tryOut = () => {
    const entered = SEARCH_SETTINGS.map((name, index) => [name, values[index]!.trim()] as const);
    test.mutate(Object.fromEntries(entered.filter(([name]) => dirtyFields[name])));
  };
  return (
    <Stack gap="4">
      <SettingField name="searchBackend" options={CHOICES} />
      <SettingField name="searxngUrl" placeholder="https://searx.example.org" />
      <SimpleGrid minChildWidth="16rem" gap="4">
        <SettingField name="braveApiKey" />
        <SettingField name="tavilyApiKey" />
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
