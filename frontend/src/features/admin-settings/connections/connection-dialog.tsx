import { Box, Input } from '@chakra-ui/react';
import { CONNECTION_KINDS, LIMITS, type ProviderConnection } from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { FormModal } from '../../../components/dialogs/form-modal';
import { FormField } from '../../../components/forms/form-field';
import { PasswordInput } from '../../../components/forms/password-input';
import { showServerErrors } from '../../../components/forms/server-errors';
import { kindLabel, KINDS } from './connection-kinds';
import { useCreateConnection, useTestConnection, useUpdateConnection } from './connection-mutations';
import {
  CONNECTION_RULES,
  type ConnectionValues,
  toCreateRequest,
  toTestRequest,
  toUpdateRequest,
  toConnectionValues,
} from './connection-values';
import { TestResult } from './test-result';
import { Select } from '../../../components/forms/select';

interface ConnectionDialogProps {
  /** The connection to edit; null adds one. */
  connection: ProviderConnection | null;
  onClose: () => void;
}

export function ConnectionDialog({ connection, onClose }: ConnectionDialogProps) {
  const stored = toConnectionValues(connection);
  const form = useForm<ConnectionValues>({ defaultValues: stored });
  const { register, formState } = form;
  const { errors } = formState;
  const values = useWatch({ control: form.control });
  const { kind = stored.kind } = values;
  const create = useCreateConnection(onClose);
  const update = useUpdateConnection(connection?.id ?? 0, onClose);
  const test = useTestConnection(values);
  const onError = (error: unknown) => showServerErrors(error, ['name', 'baseUrl', 'apiKey'], form.setError);

  const save = (values: ConnectionValues) => {
    if (!connection) return create.mutate(toCreateRequest(values), { onError });
    const changes = toUpdateRequest(values, stored);
    if (Object.keys(changes).length === 0) return onClose();
    update.mutate(changes, { onError });
  };
  const tryOut = async () => {
    if (await form.trigger('baseUrl')) test.mutate(toTestRequest(form.getValues(), connection), { onError });
  };

  return (
    <FormModal
      title={connection ? t('connections.editTitle') : t('connections.add')}
      description={connection?.isBuiltIn ? t('connections.builtIn') : undefined}
      action={connection ? t('models.saveChanges') : t('connections.add')}
      pending={create.isPending || update.isPending}
      pendingText={t('models.saving')}
      otherActions={
        <LoadingButton variant="outline" me="auto" loading={test.isPending} onClick={() => void tryOut()}>
          {t('connections.test')}
        </LoadingButton>
      }
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      {!connection && (
        <FormField label={t('connections.kind')}>
          <Select
            {...register('kind', { onChange: () => form.clearErrors('baseUrl') })}
            options={CONNECTION_KINDS.map((each) => [each, kindLabel(each)])}
          />
        </FormField>
      )}
      <FormField label={t('common.name')} error={errors.name?.message}>
        <Input
          placeholder={
            kind === 'compatible' ? t('connections.ownServer') : t('connections.ofTeam', { kind: kindLabel(kind) })
          }
          maxLength={LIMITS.connectionName.max}
          {...register('name', { validate: CONNECTION_RULES.name })}
        />
      </FormField>
      <FormField label={t('connections.baseUrl')} hint={t(KINDS[kind].hint)} error={errors.baseUrl?.message}>
        <Input
          type="url"
          inputMode="url"
          placeholder={KINDS[kind].publicUrl || 'https://'}
          maxLength={LIMITS.baseUrl.max}
          {...register('baseUrl', { validate: CONNECTION_RULES.baseUrl })}
        />
      </FormField>
      <FormField label={t('connections.apiKey')} hint={keyHint(connection)} error={errors.apiKey?.message}>
        <PasswordInput
          autoComplete="new-password"
          fontFamily="mono"
          maxLength={LIMITS.providerKey.max}
          // The masked key can only be replaced as a whole.
          onFocus={(event) => event.target.select()}
          {...register('apiKey')}
        />
      </FormField>
      <Box minH="6">
        <TestResult test={test} />
      </Box>
    </FormModal>
  );
}

function keyHint(connection: ProviderConnection | null): string {
  if (connection?.keySource === 'environment') return t('connections.environmentKeyHint');
  if (connection?.hasApiKey) return t('connections.clearKeyHint');
  return t('connections.newKeyHint');
}
