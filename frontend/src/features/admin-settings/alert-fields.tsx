import { Flex, Stack, Text } from '@chakra-ui/react';
import type { AlertTestResult } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { findText, t } from '../../app/i18n/translate';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../components/buttons/loading-button';
import { SettingField } from './setting-field';
import type { SettingsValues } from './setting-values';

const FIELDS = ['alertWebhookUrl', 'alertWebhookSecret', 'alertEmail'] as const;

/** Who is told of alerts, with a test of what is saved. */
export function AlertFields() {
  const { dirtyFields } = useFormContext<SettingsValues>().formState;
  const test = useSingleFlightMutation({
    mutationFn: () => api.post<AlertTestResult>('/api/admin/alerts/test', {}),
  });
  const isChanged = FIELDS.some((name) => dirtyFields[name]);
  const lines = test.isPending || isChanged ? [] : test.error ? [errorText(test.error)] : linesOf(test.data);
  return (
    <Stack gap="4">
      <SettingField name="alertWebhookUrl" placeholder="https://" />
      <SettingField name="alertWebhookSecret" />
      <SettingField name="alertEmail" />
      <Flex align="center" gap="3" wrap="wrap">
        <LoadingButton
          size="xs"
          variant="outline"
          loading={test.isPending}
          disabled={isChanged}
          onClick={() => test.mutate()}
        >
          {t('alerts.test')}
        </LoadingButton>
        <Text role="status" color={test.data?.ok === true ? 'fg.success' : 'fg.error'} whiteSpace="pre-line" minW="0">
          {lines.join('\n')}
        </Text>
      </Flex>
      {isChanged && <Text color="fg.muted">{t('alerts.saveFirst')}</Text>}
    </Stack>
  );
}

function linesOf(result: AlertTestResult | undefined): string[] {
  if (result === undefined) return [];
  const { webhook, mail } = result;
  return [
    ...(webhook === null ? [] : [webhook.ok ? t('alerts.webhookReached') : faultText(webhook)]),
    ...(mail === null ? [] : [t(mail.ok ? 'alerts.mailSent' : 'alerts.mailFailed')]),
  ];
}

function faultText({ fault, status }: Exclude<AlertTestResult['webhook'], null | { ok: true }>): string {
  const withStatus = status === undefined ? null : findText(`faults.${fault}_status`, { status });
  // The other sentences are of a provider and its base URL.
  const reason = withStatus ?? findText(`alerts.webhookFaults.${fault}`) ?? t(`faults.${fault}`);
  return t('alerts.webhookFailed', { reason });
}
