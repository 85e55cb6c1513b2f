import { Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { RichText } from '../../../app/i18n/rich-text';
import { t } from '../../../app/i18n/translate';
import { FormModal } from '../../../components/dialogs/form-modal';
import { LoadError } from '../../../components/feedback/load-error';
import { FormField } from '../../../components/forms/form-field';
import { Select } from '../../../components/forms/select';
import { showServerErrors } from '../../../components/forms/server-errors';
import { CreatedKey } from '../keys/created-key';
import { ExpiryField, LimitFields, NameField } from '../keys/key-fields';
import { type KeyValues, toServiceRequest, toKeyValues } from '../keys/key-values';
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
  const [chosen, setChosen] = useState(userId);
  const create = useCreateServiceKey();
  const form = useForm<KeyValues>({ defaultValues: toKeyValues(null) });
  const created = create.data;
  const service = services?.find(({ id }) => String(id) === chosen) ?? services?.[0];
  const save = (values: KeyValues) =>
    service &&
    create.mutate(
      { userId: String(service.id), ...toServiceRequest(values) },
      { onError: (error) => showServerErrors(error, FIELDS, form.setError) },
    );
  return (
    <FormModal
      title={created ? t('keys.createdTitle') : t('adminKeys.newOfService')}
      description={created && t('keys.createdText')}
      isLocked={create.isPending || created !== undefined}
      action={t('keys.create')}
      disabled={!service}
      pending={create.isPending}
      pendingText={t('keys.creating')}
      result={created && <CreatedKey value={created.key} />}
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      {isError && !services && <LoadError message={t('adminKeys.servicesError')} onRetry={refetch} />}
      {services?.length === 0 && (
        <Text>
          <RichText
            text={t('adminKeys.noServices')}
            tags={{
              users: (label) => (
                <Link
                  to="/admin/{-$page}"
                  params={{ page: 'users' }}
                  style={{ textDecoration: 'underline' }}
                  onClick={onClose}
                >
                  {label}
                </Link>
              ),
            }}
          />
        </Text>
      )}
      {service && (
        <>
          <FormField label={t('adminKeys.account')}>
            <Select
              value={service.id}
              onChange={(event) => setChosen(event.target.value)}
              options={services!.map(({ id, username, fullName }) => [id, fullName || username] as const)}
            />
          </FormField>
          <NameField form={form} />
          <ExpiryField form={form} hint={t('keys.expiryHint')} />
          <LimitFields form={form} />
          <RateFields form={form} />
        </>
      )}
    </FormModal>
  );
}
