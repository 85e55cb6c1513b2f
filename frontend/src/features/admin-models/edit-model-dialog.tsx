import type { AccessRule, AdminModel } from '@tanya/contract';
import { useState } from 'react';
import { Controller, type FieldErrors, useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { accessChange, AccessFields, isSameAccess } from '../../components/forms/access-fields';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { FormModal } from '../../components/dialogs/form-modal';
import { notify } from '../../components/feedback/notify';
import { FallbackFields } from './fallback-fields';
import { ConnectionField, EffortsField, KindField, ModelInput } from './model-fields';
import { type ModelFormValues, toChange, toFormValues, TYPED_FIELDS } from './model-form-values';
import { useUpdateModel } from './model-mutations';
import { PriceFields } from './price-fields';
import { SetupFields } from './setup-fields';
import { PRICE_NAMES } from './price-values';
import { Select } from '../../components/forms/select';

const SERVER_FIELDS = [...TYPED_FIELDS, 'fallbacks', ...PRICE_NAMES.map((name) => `pricing.${name}` as const)] as const;

interface EditModelDialogProps {
  /** The model as it is now. The form keeps the values with which the dialog opened. */
  model: AdminModel;
  onClose: () => void;
}

export function EditModelDialog({ model, onClose }: EditModelDialogProps) {
  const update = useUpdateModel(model.id, onClose);
  const form = useForm<ModelFormValues>({ defaultValues: toFormValues(model) });
  const { dirtyFields } = form.formState;
  // Another admin may have set the kind since.
  const [opened] = useState<AccessRule>({ access: model.access, groupIds: model.groupIds });
  const [guessed] = useState(model.isKindGuessed ? model.kind : undefined);

  const submit = (values: ModelFormValues) => {
    const change = toChange(values, dirtyFields, model);
    if (!isSameAccess(values.rule, opened)) Object.assign(change, accessChange(values.rule));
    update.mutate(change, { onError: (error) => showServerErrors(error, SERVER_FIELDS, form.setError) });
  };
  const refuse = ({ name, provider }: FieldErrors<ModelFormValues>) => {
    if (!name && !provider) return;
    notify({
      title: t('validation.missingInformation'),
      description: t('validation.missingInformationHint'),
      kind: 'error',
    });
  };

  return (
    <FormModal
      title={t('modelsPage.editTitle')}
      description={model.modelId}
      action={t('models.saveChanges')}
      pending={update.isPending}
      pendingText={t('models.saving')}
      onSubmit={form.handleSubmit(submit, refuse)}
      onClose={onClose}
    >
      <ModelInput form={form} name="name" label={t('modelsPage.displayName')} />
      <ModelInput form={form} name="provider" label={t('modelsPage.provider')} />
      <ModelInput form={form} name="description" label={t('modelsPage.description')} rows={3} />
      <ModelInput
        form={form}
        name="contextLength"
        label={t('modelsPage.contextTokens')}
        hint={t('modelsPage.contextHint')}
      />
      <KindField guessed={guessed} field={form.register('kind')} />
      <ConnectionField saved={model.connectionId} field={form.register('connectionId')} />
      <FormField label={t('modelsPage.tools')} hint={t('modelsPage.toolsHint')}>
        <Select
          {...form.register('supportsTools')}
          options={[
            ['', t('modelsPage.toolsReported')],
            ['true', t('modelsPage.toolsOffered')],
            ['false', t('modelsPage.toolsNever')],
          ]}
        />
      </FormField>
      <EffortsField control={form.control} name="reasoningEfforts" />
      <SetupFields model={model} form={form} />
      {model.kind === 'chat' && <FallbackFields model={model} form={form} />}
      <PriceFields model={model} form={form} />
      <Controller
        control={form.control}
        name="rule"
        render={({ field }) => <AccessFields rule={field.value} onChange={field.onChange} />}
      />
      <FormCheckbox control={form.control} name="isInPicker" label={t('modelsPage.inPicker')} />
    </FormModal>
  );
}
