import { Button, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { Modal } from '../../../components/dialogs/modal';
import { LoadError } from '../../../components/feedback/load-error';
import { FormField } from '../../../components/forms/form-field';
import { Select } from '../../../components/forms/select';
import { showServerErrors } from '../../../components/forms/server-errors';
import { CreatedKey } from '../keys/created-key';
import { ExpiryField, LimitFields, NameField } from '../keys/key-fields';
import { type KeyValues, toServiceRequest, toValues } from '../keys/key-values';
import { servicesQuery, useCreateServiceKey } from './admin-keys.query';
import { RateFields } from './rate-fields';

const FIELDS = [
  ...['name', 'expiresAt', 'messageCap', 'budgetUsd', 'models', 'requestsPerMinute', 'tokensPerMinute'],
] as (keyof KeyValues)[];

interface ServiceKeyDialogProps {
  /** The account that is chosen at first, if it is a service account. */
  userId: string;
  onClose: () => void;
}

/** Makes a key of a service account. It stays open then, because the whole key is shown only once. */
export function ServiceKeyDialog({ userId, onClose }: ServiceKeyDialogProps) {
  const { data: services, isError, refetch } = useQuery(servicesQuery);
  const create = useCreateServiceKey();
  const created = create.data;
  return (
    <Modal
      title={created ? t('keys.createdTitle') : t('adminKeys.newOfService')}
      description={created && t('keys.createdText')}
      size="md"
      isLocked={create.isPending || created !== undefined}
      onClose={onClose}
      footer={
        created ? (
          <Button colorPalette="jade" onClick={onClose}>
            {t('keys.done')}
          </Button>
        ) : (
          <>
            <LoadingButton variant="outline" disabled={create.isPending} onClick={onClose}>
              {t('common.cancel')}
            </LoadingButton>
            <LoadingButton
              type="submit"
              form="service-key-form"
              colorPalette="jade"
              disabled={!services?.length}
              loading={create.isPending}
              loadingText={t('keys.creating')}
            >
              {t('keys.create')}
            </LoadingButton>
          </>
        )
      }
    >
      {created && <CreatedKey value={created.key} />}
      {!created && isError && !services && (
        <LoadError message={t('adminKeys.servicesError')} onRetry={() => void refetch()} />
      )}
      {!created && services?.length === 0 && <Text>{t('adminKeys.noServices')}</Text>}
      {!created && services && services.length > 0 && <KeyForm services={services} userId={userId} create={create} />}
    </Modal>
  );
}

interface KeyFormProps {
  services: AdminUser[];
  userId: string;
  create: ReturnType<typeof useCreateServiceKey>;
}

function KeyForm({ services, userId, create }: KeyFormProps) {
  const form = useForm<KeyValues>({ defaultValues: toValues(null) });
  const chosen = services.find(({ id }) => String(id) === userId) ?? services[0]!;
  const [service, setService] = useState(String(chosen.id));
  const save = (values: KeyValues) =>
    create.mutate(
      { userId: service, ...toServiceRequest(values) },
      { onError: (error) => showServerErrors(error, FIELDS, form.setError) },
    );
  return (
    <form id="service-key-form" noValidate autoComplete="off" onSubmit={form.handleSubmit(save)}>
      <Stack gap="4">
        <FormField label={t('adminKeys.account')}>
          <Select
            value={service}
            onChange={(event) => setService(event.target.value)}
            options={services.map(({ id, username, fullName }) => [id, fullName || username] as const)}
          />
        </FormField>
        <NameField form={form} />
        <ExpiryField form={form} hint={t('keys.expiryHint')} />
        <LimitFields form={form} />
        <RateFields form={form} />
      </Stack>
    </form>
  );
}
