import { Badge, Flex, Input, SimpleGrid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@tanya/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { FormField } from '../../components/forms/form-field';
import { PasswordInput } from '../../components/forms/password-input';
import { connectionsQuery } from '../../app/queries/connections.query';
import { useTestConnection } from './connections/connection-mutations';
import { TestResult } from './connections/test-result';
import type { SettingsValues } from './settings-rules';

const FIELDS = {
  openrouter: {
    label: 'OpenRouter',
    key: 'openrouterApiKey',
    url: 'openrouterBaseUrl',
    keyHint: 'settingsPage.openrouterHint',
    defaultUrl: 'https://openrouter.ai/api/v1',
  },
  openai: {
    label: 'OpenAI',
    key: 'openaiApiKey',
    url: 'openaiBaseUrl',
    keyHint: 'settingsPage.openaiHint',
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
  const { label, key, url, keyHint, defaultUrl } = FIELDS[provider];
  const { register, control, formState } = useFormContext<SettingsValues>();
  const { errors, dirtyFields } = formState;
  const [apiKey, baseUrl] = useWatch({ control, name: [key, url] });
  const filled = apiKey !== '';
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
        <FormField
          label={
            <Flex as="span" gap="2" align="center">
              {t('settingsPage.key', { provider: label })}
              {filled && (
                <Badge size="xs" colorPalette="jade">
                  {t('settings.keySet')}
                </Badge>
              )}
            </Flex>
          }
          hint={filled ? t('settingsPage.clearHint') : t(keyHint)}
          error={errors[key]?.message}
        >
          <PasswordInput
            autoComplete="new-password"
            fontFamily="mono"
            maxLength={LIMITS.providerKey.max}
            // The masked key can only be replaced as a whole.
            onFocus={(event) => event.target.select()}
            {...register(key)}
          />
        </FormField>
        <FormField
          label={t('settingsPage.baseUrl', { provider: label })}
          hint={t('settingsPage.baseUrlHint')}
          error={errors[url]?.message}
        >
          <Input
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={LIMITS.baseUrl.max}
            placeholder={defaultUrl}
            {...register(url)}
          />
        </FormField>
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
