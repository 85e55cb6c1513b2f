import { type AccessRule, type AdminModel, LIMITS } from '@tanya/contract';
import { useState } from 'react';
import { Controller, type FieldErrors, useForm, type UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { accessChange, AccessFields, isSameAccess } from '../../components/forms/access-fields';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { FormModal } from '../../components/dialogs/form-modal';
import { ConnectionField, EffortsField, KindField, ModelInput, notifyMissing } from './model-fields';
import { type ModelFormValues, toChange, toFormValues, TYPED_FIELDS } from './model-form-values';
import { useUpdateModel } from './model-mutations';
import { PriceFields } from './price-fields';
import { PRICE_NAMES } from './price-values';
import { Select } from '../../components/forms/select';
import { Fieldset, Input, SimpleGrid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { adminModelsQuery } from './models.query';
import { PARAMETER_NAMES, parameterRule } from './parameter-values';

const SERVER_FIELDS = [
  ...TYPED_FIELDS,
  'kind',
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
    if (name || provider) notifyMissing();
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
      <KindField guessed={guessed} field={form.register('kind')} error={form.formState.errors.kind?.message} />
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
      <FallbackFields model={model} form={form} />
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

const PLACES = [0, 1, 2] as const satisfies { length: typeof LIMITS.fallbacks };

/**
 * Chooses the models that answer instead, in their order. A place is shown once those before it are taken. Only models for chats
 * have them: another chosen kind shows those that are to be removed.
 */
function FallbackFields({ model, form }: { model: AdminModel; form: UseFormReturn<ModelFormValues> }) {
  const { data: models = [] } = useQuery(adminModelsQuery);
  const chosen = form.watch('fallbacks');
  const kind = form.watch('kind') || model.kind;
  const shown = PLACES.filter((place) => place === 0 || chosen[place] !== '' || chosen[place - 1] !== '');
  if (kind !== 'chat' && chosen.every((id) => id === '')) return null;
  const optionsOf = (place: number): [string, string][] => {
    const taken = new Set(chosen.filter((_, other) => other !== place));
    const free = models.filter(
      ({ modelId, kind }) => kind === 'chat' && modelId !== model.modelId && !taken.has(modelId),
    );
    const named = free.map(({ modelId, displayName }): [string, string] => [modelId, `${displayName} (${modelId})`]);
    // A deleted model stays until another choice is made.
    const own = chosen[place] ?? '';
    if (own !== '' && !free.some(({ modelId }) => modelId === own)) named.push([own, own]);
    return [['', t('modelsPage.noFallback')], ...named];
  };
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('modelsPage.fallbacks')}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t('modelsPage.fallbacksHint')}</Fieldset.HelperText>
      <Stack gap="3" mt="1.5">
        {shown.map((place) => (
          <FormField
            key={place}
            label={t(`modelsPage.fallback_${place}`)}
            error={place === 0 ? form.formState.errors.fallbacks?.message : undefined}
          >
            <Select
              key={models.length === 0 ? 'loading' : 'loaded'}
              {...form.register(`fallbacks.${place}`)}
              options={optionsOf(place)}
            />
          </FormField>
        ))}
      </Stack>
    </Fieldset.Root>
  );
}

/** What an admin sets beyond the catalogue: the id at the provider, the system prompt and default parameters. */
function SetupFields({ model, form }: { model: AdminModel; form: UseFormReturn<ModelFormValues> }) {
  const { errors } = form.formState;
  return (
    <>
      <ModelInput
        form={form}
        name="upstreamId"
        label={t('modelsPage.upstreamId')}
        hint={t('modelsPage.upstreamIdHint')}
        placeholder={model.modelId}
        fontFamily="mono"
      />
      <ModelInput
        form={form}
        name="systemPrompt"
        label={t('modelsPage.systemPrompt')}
        hint={t('modelsPage.systemPromptHint')}
        rows={3}
      />
      <Fieldset.Root>
        <Fieldset.Legend textStyle="sm" fontWeight="medium">
          {t('modelsPage.parameters')}
        </Fieldset.Legend>
        <Fieldset.HelperText textStyle="xs">{t('modelsPage.parametersHint')}</Fieldset.HelperText>
        <SimpleGrid minChildWidth="9rem" gap="3">
          {PARAMETER_NAMES.map((name) => (
            <FormField key={name} label={name} error={errors.parameters?.[name]?.message}>
              <Input inputMode="decimal" {...form.register(`parameters.${name}`, { validate: parameterRule(name) })} />
            </FormField>
          ))}
        </SimpleGrid>
      </Fieldset.Root>
    </>
  );
}
