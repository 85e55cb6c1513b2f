import { Box, Flex, SimpleGrid, Stack } from '@chakra-ui/react';
import { SEARCH_SETTINGS, type SearchStatus } from '@tanya/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { TestResult } from '../connections/test-result';
import { failureOf } from '../../../components/feedback/health-line';
import { SettingField } from '../setting-field';
import type { SettingsValues } from '../setting-values';
import { searchStatusQuery, useTestSearch } from './search.query';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../../app/i18n/formats';
import { faultSentence } from '../connections/fault-sentence';

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
      <SettingField name="searchBackend" />
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

/** The saved search service and its last outcome. */
function SearchHealth() {
  const { data } = useQuery(searchStatusQuery);
  if (!data) return null;
  const { lastSuccess } = data;
  const failure = failureOf(data);
  return (
    <Box textStyle="sm" color="fg.muted" overflowWrap="anywhere">
      {serviceText(data)}
      {lastSuccess && ` ${t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) })}.`}
      {failure && (
        <Box color="fg.error">
          {t('connections.failed', { time: formatDateTime(new Date(failure.at)) })}:{' '}
          {faultSentence(failure.fault, failure.message)}
        </Box>
      )}
    </Box>
  );
}

function serviceText({ service, source, isHosted }: SearchStatus): string {
  if (service === null) return t(isHosted ? 'toolSettings.hostedSearch' : 'toolSettings.noService');
  const name = t(`toolSettings.${service}`);
  return source === 'environment' ? t('toolSettings.fromEnvironment', { name }) : t('toolSettings.inUse', { name });
}
