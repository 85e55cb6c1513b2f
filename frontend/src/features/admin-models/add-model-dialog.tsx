import { Input, Textarea } from '@chakra-ui/react';
import { LIMITS, type CreateModelRequest, type ModelKind } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormModal } from '../../components/dialogs/form-modal';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { ConnectionField, KindField, notifyMissing } from './model-fields';
import { useCreateModel } from './model-mutations';

interface Values extends Record<'modelId' | 'name' | 'provider' | 'description', string> {
  /** '' leaves it to the server. */
  kind: ModelKind | '';
  /** '' chooses by the configured connections. */
  connectionId: string;
}

const EMPTY: Values = { modelId: '', name: '', provider: '', description: '', kind: '', connectionId: '' };

const isFilled = (value: string): true | string => value.trim() !== '' || t('modelsPage.required');

export function AddModelDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<Values>({ defaultValues: EMPTY });
  const { errors } = form.formState;
  const create = useCreateModel(onClose);

  const submit = (values: Values) => {
    const { modelId, name, provider, description } = values;
    const request: CreateModelRequest = {
      modelId: modelId.trim(),
      name: name.trim(),
      provider: provider.trim(),
      ...(description.trim() && { description: description.trim() }),
      ...(values.kind && { kind: values.kind }),
      ...(values.connectionId && { connectionId: Number(values.connectionId) }),
    };
    create.mutate(request, {
      onError: (error) =>
        showServerErrors(error, ['modelId', 'name', 'provider', 'description', 'kind'], form.setError),
    });
  };

  return (
    <FormModal
      title={t('modelsPage.addTitle')}
      action={t('modelsPage.add')}
      pending={create.isPending}
      onSubmit={form.handleSubmit(submit, notifyMissing)}
      onClose={onClose}
    >
      <FormField label={t('modelsPage.modelId')} error={errors.modelId?.message}>
        <Input
          placeholder="openai/gpt-4o-mini"
          maxLength={LIMITS.modelId.max}
          {...form.register('modelId', { validate: isFilled })}
        />
      </FormField>
      <FormField label={t('modelsPage.displayName')} error={errors.name?.message}>
        <Input
          placeholder="GPT-4o Mini"
          maxLength={LIMITS.modelName.max}
          {...form.register('name', { validate: isFilled })}
        />
      </FormField>
      <FormField label={t('modelsPage.provider')} error={errors.provider?.message}>
        <Input
          placeholder="OpenAI"
          maxLength={LIMITS.modelProvider.max}
          {...form.register('provider', { validate: isFilled })}
        />
      </FormField>
      <FormField label={t('modelsPage.descriptionOptional')} error={errors.description?.message}>
        <Textarea
          rows={2}
          resize="vertical"
          maxLength={LIMITS.modelDescription.max}
          {...form.register('description')}
        />
      </FormField>
      <KindField guessed={null} field={form.register('kind')} error={errors.kind?.message} />
      <ConnectionField saved={null} field={form.register('connectionId')} />
    </FormModal>
  );
}
