import { Flex, Input, SimpleGrid, Textarea } from '@chakra-ui/react';
import { LIMITS, type CreateModelRequest, type ModelKind } from '@tanya/contract';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { notify } from '../../components/feedback/notify';
import { Panel } from '../../components/layout/panel';
import { LoadingButton } from '../../components/buttons/loading-button';
import { KindField } from './model-fields';
import { useCreateModel } from './model-mutations';

interface Values extends Required<Pick<CreateModelRequest, 'modelId' | 'name' | 'provider' | 'description'>> {
  /** '' leaves it to the server. */
  kind: ModelKind | '';
}

const EMPTY: Values = { modelId: '', name: '', provider: '', description: '', kind: '' };

/** The entered values. They stay while the form is not shown. */
export const useAddModelForm = () => useForm<Values>({ defaultValues: EMPTY });

export function AddModelForm({ form }: { form: UseFormReturn<Values> }) {
  const create = useCreateModel(() => form.reset(EMPTY));

  const submit = (values: Values) => {
    const modelId = values.modelId.trim();
    const name = values.name.trim();
    const provider = values.provider.trim();
    const description = values.description.trim();
    if (!modelId || !name || !provider) {
      const missing = !modelId ? 'modelId' : !name ? 'name' : 'provider';
      notify({
        title: t('validation.missingInformation'),
        description: t('validation.missingInformationHint'),
        kind: 'error',
      });
      form.setFocus(missing);
      return;
    }
    create.mutate({
      modelId,
      name,
      provider,
      ...(description && { description }),
      ...(values.kind && { kind: values.kind }),
    });
  };

  return (
    <Panel title={t('modelsPage.addTitle')}>
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <SimpleGrid minChildWidth="12rem" gap="4">
          <FormField label={t('modelsPage.modelId')}>
            <Input
              placeholder="openai/gpt-4o-mini"
              autoComplete="off"
              maxLength={LIMITS.modelId.max}
              {...form.register('modelId')}
            />
          </FormField>
          <FormField label={t('modelsPage.displayName')}>
            <Input
              placeholder="GPT-4o Mini"
              autoComplete="off"
              maxLength={LIMITS.modelName.max}
              {...form.register('name')}
            />
          </FormField>
          <FormField label={t('modelsPage.provider')}>
            <Input
              placeholder="OpenAI"
              autoComplete="off"
              maxLength={LIMITS.modelProvider.max}
              {...form.register('provider')}
            />
          </FormField>
          <KindField guessed={null} field={form.register('kind')} />
        </SimpleGrid>
        <Flex mt="4" gap="4" align="end" direction={{ base: 'column', md: 'row' }}>
          <FormField label={t('modelsPage.descriptionOptional')}>
            <Textarea
              rows={1}
              resize="vertical"
              maxLength={LIMITS.modelDescription.max}
              {...form.register('description')}
            />
          </FormField>
          <LoadingButton
            type="submit"
            colorPalette="jade"
            loading={create.isPending}
            width={{ base: '100%', md: 'auto' }}
          >
            {t('modelsPage.add')}
          </LoadingButton>
        </Flex>
      </form>
    </Panel>
  );
}
