import { Button, Input, Stack } from '@chakra-ui/react';
import { type ApiKey, LIMITS } from '@tanya/contract';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { Modal } from '../../../components/dialogs/modal';
import { FormField } from '../../../components/forms/form-field';
import { showServerErrors } from '../../../components/forms/server-errors';
import { CreatedKey } from './created-key';
import { dayOf, expiryRule, KEY_RULES, type KeyValues, toCreateRequest, toUpdateRequest, toValues } from './key-values';
import { useCreateKey, useUpdateKey } from './keys.query';
import { ModelsField } from './models-field';

const FIELDS = ['name', 'expiresAt', 'messageCap', 'budgetUsd', 'models'] as const;

interface KeyDialogProps {
  /** The key to edit; null creates one. */
  apiKey: ApiKey | null;
  onClose: () => void;
}

/** Creates or edits a key. From the request of a creation on it stays open, because the whole key is shown only once. */
export function KeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const stored = toValues(apiKey);
  const form = useForm<KeyValues>({ defaultValues: stored });
  const create = useCreateKey();
  const update = useUpdateKey(apiKey?.id ?? 0, onClose);
  const created = create.data;
  const onError = (error: unknown) => showServerErrors(error, FIELDS, form.setError);
  const save = (values: KeyValues) => {
    if (!apiKey) return create.mutate(toCreateRequest(values), { onError });
    const changes = toUpdateRequest(values, stored);
    if (Object.keys(changes).length === 0) return onClose();
    update.mutate(changes, { onError });
  };

  return (
    <Modal
      title={created ? t('keys.createdTitle') : apiKey ? t('keys.editTitle') : t('keys.newTitle')}
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
              form="key-form"
              colorPalette="jade"
              loading={create.isPending || update.isPending}
              loadingText={apiKey ? t('models.saving') : t('keys.creating')}
            >
              {apiKey ? t('models.saveChanges') : t('keys.create')}
            </LoadingButton>
          </>
        )
      }
    >
      {created ? (
        <CreatedKey value={created.key} />
      ) : (
        <form id="key-form" noValidate autoComplete="off" onSubmit={form.handleSubmit(save)}>
          <KeyFields form={form} stored={stored} />
        </form>
      )}
    </Modal>
  );
}

function KeyFields({ form, stored }: { form: UseFormReturn<KeyValues>; stored: KeyValues }) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <Stack gap="4">
      <FormField label={t('keys.name')} error={errors.name?.message}>
        <Input
          placeholder={t('keys.namePlaceholder')}
          maxLength={LIMITS.apiKeyName.max}
          {...register('name', { validate: KEY_RULES.name })}
        />
      </FormField>
      <FormField label={t('keys.expiry')} hint={t('keys.expiryHint')} error={errors.expiresAt?.message}>
        <Input
          type="date"
          min={dayOf(new Date())}
          max="9999-12-31"
          {...register('expiresAt', { validate: expiryRule(stored.expiresAt) })}
        />
      </FormField>
      <FormField label={t('keys.cap')} hint={t('keys.capHint')} error={errors.messageCap?.message}>
        <Input
          inputMode="numeric"
          maxLength={String(LIMITS.apiKeyMessageCap.max).length}
          {...register('messageCap', { validate: KEY_RULES.messageCap })}
        />
      </FormField>
      <FormField label={t('budgets.own')} hint={t('keys.budgetHint')} error={errors.budgetUsd?.message}>
        <Input inputMode="decimal" maxLength={24} {...register('budgetUsd', { validate: KEY_RULES.budgetUsd })} />
      </FormField>
      <ModelsField control={form.control} />
    </Stack>
  );
}
