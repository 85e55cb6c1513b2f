import { Fieldset, Input, SimpleGrid } from '@chakra-ui/react';
import type { AdminModel } from '@tanya/contract';
import type { UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { ModelInput } from './model-fields';
import type { ModelFormValues } from './model-form-values';
import { PARAMETER_NAMES, parameterRule } from './parameter-values';

/** What an admin sets beyond the catalogue: the id at the provider, the system prompt and default parameters. */
export function SetupFields({ model, form }: { model: AdminModel; form: UseFormReturn<ModelFormValues> }) {
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
