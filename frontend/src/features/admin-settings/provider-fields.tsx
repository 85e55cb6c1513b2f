import { Flex, SimpleGrid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { connectionsQuery } from '../../app/queries/connections.query';
import { useTestConnection } from './connections/connection-mutations';
import { TestResult } from './connections/test-result';
import { SettingField } from './setting-field';
import type { SettingsValues } from './setting-values';

const FIELDS = {
  openrouter: {
    key: 'openrouterApiKey',
    url: 'openrouterBaseUrl',
    defaultUrl: 'https://openrouter.ai/api/v1',
  },
  openai: {
    key: 'openaiApiKey',
    url: 'openaiBaseUrl',
    defaultUrl: 'https://api.openai.com/v1',
  },
} as const;

export function ProviderFields() {
  return (
    <Stack gap="6">
      <ProviderRow provider="openrouter" />
      <ProviderRow provider="openai" />
    </Stack>
  );
}

function ProviderRow({ provider }: { provider: keyof typeof FIELDS }) {
  const { key, url, defaultUrl } = FIELDS[provider];
  const { control, formState } = useFormContext<SettingsValues>();
  const { dirtyFields } = formState;
  const [apiKey, baseUrl] = useWatch({ control, name: [key, url] });
  const test = useTestConnection({ apiKey, baseUrl });
  const { data: connections } = useQuery(connectionsQuery);
  const saved = connections?.find(({ kind, isBuiltIn }) => isBuiltIn && kind === provider);
  // Fields that were not changed come from the saved connection, whose key the page does not have.
  const tryOut = () =>
    test.mutate({
      ...(saved ? { id: saved.id } : { kind: provider }),
      ...(dirtyFields[key] && { apiKey: apiKey.trim() }),
      ...(dirtyFields[url] && { baseUrl: baseUrl.trim() }),
    });
  return (
    <Stack gap="3">
      <SimpleGrid minChildWidth="16rem" gap="4">
        <SettingField name={key} />
        <SettingField name={url} hint={t('settingsPage.baseUrlHint')} placeholder={defaultUrl} />
      </SimpleGrid>
      <Flex align="center" gap="3" wrap="wrap">
        <LoadingButton size="xs" variant="outline" loading={test.isPending} onClick={tryOut}>
          {t('settingsPage.test')}
        </LoadingButton>
        <TestResult test={test} />
      </Flex>
    </Stack>
  );
}
