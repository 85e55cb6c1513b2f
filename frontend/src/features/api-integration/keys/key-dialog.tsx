import { Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, KEY_SCOPES } from '@tanya/contract';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { currentUserQuery } from '../../../app/queries/user.query';
import { FormModal } from '../../../components/dialogs/form-modal';
import { FormField } from '../../../components/forms/form-field';
import { Select } from '../../../components/forms/select';
import { showServerErrors } from '../../../components/forms/server-errors';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';
import { CreatedKey } from './created-key';
import { ExpiryField, type FieldProps, LimitFields, NameField } from './key-fields';
import { type KeyValues, lastAdminDay, toCreateRequest, toUpdateRequest, toKeyValues } from './key-values';
import { useCreateKey, useUpdateKey } from './keys.query';

const FIELDS = ['name', 'password', 'expiresAt', 'messageCap', 'budgetUsd', 'models'] as const;

interface KeyDialogProps {
  /** The key to edit; null creates one. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** Creates or edits a key. From the request of a creation on it stays open, because the whole key is shown only once. */
export function KeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const stored = toKeyValues(apiKey);
  const form = useForm<KeyValues>({ defaultValues: stored });
  const create = useCreateKey();
  const update = useUpdateKey(apiKey?.id ?? 0, onClose);
  const created = create.data;
  const onError = (error: unknown) => {
    if (!showPasswordRefusal(error, form, 'password')) showServerErrors(error, FIELDS, form.setError);
  };
  const save = (values: KeyValues) => {
    if (!apiKey) return create.mutate(toCreateRequest(values), { onError });
    const changes = toUpdateRequest(values, stored);
    if (Object.keys(changes).length === 0) return onClose();
    update.mutate(changes, { onError });
  };

  return (
    <FormModal
      title={created ? t('keys.createdTitle') : apiKey ? t('keys.editTitle') : t('keys.newTitle')}
      description={created && t('keys.createdText')}
      isLocked={create.isPending || created !== undefined}
      action={apiKey ? t('models.saveChanges') : t('keys.create')}
      pending={create.isPending || update.isPending}
      pendingText={apiKey ? t('models.saving') : t('keys.creating')}
      result={created && <CreatedKey value={created.key} />}
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      <OwnFields form={form} apiKey={apiKey} />
    </FormModal>
  );
}

function OwnFields({ form, apiKey }: { form: UseFormReturn<KeyValues>; apiKey: ApiKey | null }) {
  const { data: user } = useQuery(currentUserQuery);
  const scope = useWatch({ control: form.control, name: 'scope' });
  return (
    <Stack gap="4">
      {apiKey && Object.keys(apiKey.adminLimits).length > 0 && <Text>{t('keys.bound')}</Text>}
      <NameField form={form} />
      {!apiKey && user?.isAdmin && <ScopeField form={form} />}
      {scope === 'admin' ? (
        <ExpiryField form={form} latest={lastAdminDay()} hint={t('keys.adminExpiryHint')} />
      ) : (
        <>
          <ExpiryField form={form} hint={t('keys.expiryHint')} />
          <LimitFields form={form} />
        </>
      )}
      {!apiKey && scope === 'admin' && <CurrentPassword form={form} name="password" label={t('totp.password')} />}
    </Stack>
  );
}

function ScopeField({ form: { register } }: FieldProps) {
  return (
    <FormField label={t('keys.scope')} hint={t('keys.scopeHint')}>
      <Select {...register('scope')} options={KEY_SCOPES.map((scope) => [scope, t(`keys.scope_${scope}`)] as const)} />
    </FormField>
  );
}
