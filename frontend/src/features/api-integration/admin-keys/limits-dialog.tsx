import type { AdminApiKey } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { FormModal } from '../../../components/dialogs/form-modal';
import { showServerErrors } from '../../../components/forms/server-errors';
import { ExpiryField, LimitFields } from '../keys/key-fields';
import { type KeyValues, lastAdminDay, toLimitRequest, toValues } from '../keys/key-values';
import { useLimitKey } from './admin-keys.query';
import { RateFields } from './rate-fields';

const FIELDS = ['expiresAt', 'messageCap', 'budgetUsd', 'models', 'requestsPerMinute', 'tokensPerMinute'] as const;

/** Limits a key. What is changed here binds its owner. */
export function LimitsDialog({ apiKey, onClose }: { apiKey: AdminApiKey; onClose: () => void }) {
  const stored = toValues(apiKey);
  const form = useForm<KeyValues>({ defaultValues: stored });
  const limit = useLimitKey(apiKey.id, onClose);
  const save = (values: KeyValues) => {
    const changes = toLimitRequest(values, stored);
    if (Object.keys(changes).length === 0) return onClose();
    limit.mutate(changes, { onError: (error) => showServerErrors(error, FIELDS, form.setError) });
  };
  return (
    <FormModal
      title={t('adminKeys.limitsTitle')}
      description={t('adminKeys.limitsHint', { name: apiKey.name, person: apiKey.username })}
      action={t('models.saveChanges')}
      pending={limit.isPending}
      pendingText={t('models.saving')}
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      {apiKey.scope === 'admin' ? (
        <ExpiryField form={form} latest={lastAdminDay()} hint={t('keys.adminExpiryHint')} />
      ) : (
        <>
          <ExpiryField form={form} hint={t('keys.expiryHint')} />
          <LimitFields form={form} />
          <RateFields form={form} />
        </>
      )}
    </FormModal>
  );
}
