import { Input, Textarea } from '@chakra-ui/react';
import { type AccessRule, type AdminModel, LIMITS, type UpdateModelRequest } from '@tanya/contract';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { accessChange, AccessFields, isSameAccess } from '../../components/forms/access-fields';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { FormModal } from '../../components/dialogs/form-modal';
import { notify } from '../../components/feedback/notify';
import { FallbackFields, toFallbackValues } from './fallback-fields';
import { ConnectionField, KindField, EffortsField } from './model-fields';
import type { ModelFormValues } from './model-form-values';
import { useUpdateModel } from './model-mutations';
import { toParameters, toParameterValues } from './parameter-values';
import { PriceFields } from './price-fields';
import { SetupFields } from './setup-fields';
import { PRICE_NAMES, toPriceValues, toPricing } from './price-values';
import { Select } from '../../components/forms/select';

const SERVER_FIELDS = [
  'upstreamId',
  'systemPrompt',
  'fallbacks',
  ...PRICE_NAMES.map((name) => `pricing.${name}` as const),
] as const;

interface EditModelDialogProps {
  /** The model as it is now. The form keeps the values with which the dialog opened. */
  model: AdminModel;
  onClose: () => void;
}

export function EditModelDialog({ model, onClose }: EditModelDialogProps) {
  const update = useUpdateModel(model.id, onClose);
  const form = useForm<ModelFormValues>({
    defaultValues: {
      name: model.name,
      provider: model.provider,
      description: model.description ?? '',
      kind: model.isKindGuessed ? '' : model.kind,
      isInPicker: model.isInPicker,
      contextLength: model.contextLength?.toString() ?? '',
      connectionId: model.connectionId?.toString() ?? '',
      supportsTools: model.toolSupport?.toString() ?? '',
      reasoningEfforts: model.reasoningEfforts ?? [],
      rule: { access: model.access, groupIds: model.groupIds },
      pricing: toPriceValues(model.pricing),
      upstreamId: model.upstreamId ?? '',
      systemPrompt: model.systemPrompt ?? '',
      fallbacks: toFallbackValues(model.fallbacks),
      parameters: toParameterValues(model.parameters),
    },
  });
  const { errors, dirtyFields } = form.formState;
  // Another admin may have set the kind since.
  const [opened] = useState<AccessRule>({ access: model.access, groupIds: model.groupIds });
  const [guessed] = useState(model.isKindGuessed ? model.kind : undefined);

  const submit = (values: ModelFormValues) => {
    const name = values.name.trim();
    const provider = values.provider.trim();
    if (!name || !provider) {
      for (const field of ['name', 'provider'] as const)
        if (values[field].trim() === '') form.setError(field, { message: t('modelsPage.required') });
      notify({
        title: t('validation.missingInformation'),
        description: t('validation.missingInformationHint'),
        kind: 'error',
      });
      form.setFocus(name ? 'provider' : 'name');
      return;
    }
    const contextLength = values.contextLength === '' ? null : Number(values.contextLength);
    const description = values.description.trim() || null;
    const { isInPicker, reasoningEfforts } = values;
    const connectionId = values.connectionId === '' ? null : Number(values.connectionId);
    const supportsTools = values.supportsTools === '' ? null : values.supportsTools === 'true';
    const entered = {
      name,
      provider,
      description,
      kind: values.kind || undefined,
      contextLength,
      connectionId,
      supportsTools,
      reasoningEfforts,
      isInPicker,
      upstreamId: values.upstreamId.trim() || null,
      systemPrompt: values.systemPrompt.trim() || null,
    };
    // Another admin may have changed the other fields since the dialog opened.
    const change: UpdateModelRequest = Object.fromEntries(
      Object.entries(entered).filter(([field]) => dirtyFields[field as keyof typeof entered]),
    );
    if (!isSameAccess(values.rule, opened)) Object.assign(change, accessChange(values.rule));
    const prices = PRICE_NAMES.filter((price) => dirtyFields.pricing?.[price]);
    if (prices.length > 0) change.pricing = toPricing(values.pricing, model.pricing, prices);
    if (dirtyFields.fallbacks) change.fallbacks = values.fallbacks.filter((id) => id !== '');
    if (dirtyFields.parameters) change.parameters = toParameters(values.parameters);
    update.mutate(change, { onError: (error) => showServerErrors(error, SERVER_FIELDS, form.setError) });
  };

  return (
    <FormModal
      title={t('modelsPage.editTitle')}
      description={model.modelId}
      action={t('models.saveChanges')}
      pending={update.isPending}
      pendingText={t('models.saving')}
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
    >
      <FormField label={t('modelsPage.displayName')} error={errors.name?.message}>
        <Input maxLength={LIMITS.modelName.max} {...form.register('name')} />
      </FormField>
      <FormField label={t('modelsPage.provider')} error={errors.provider?.message}>
        <Input maxLength={LIMITS.modelProvider.max} {...form.register('provider')} />
      </FormField>
      <FormField label={t('modelsPage.description')}>
        <Textarea rows={3} maxLength={LIMITS.modelDescription.max} {...form.register('description')} />
      </FormField>
      <FormField
        label={t('modelsPage.contextTokens')}
        hint={t('modelsPage.contextHint')}
        error={errors.contextLength?.message}
      >
        <Input inputMode="numeric" {...form.register('contextLength', { validate: contextLengthRule })} />
      </FormField>
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

function contextLengthRule(value: string): true | string {
  if (value === '') return true;
  const { min, max } = LIMITS.contextLength;
  const length = Number(value);
  return (
    (Number.isInteger(length) && length >= min && length <= max) ||
    t('modelsPage.contextRange', { min: formatNumber(min), max: formatNumber(max) })
  );
}
