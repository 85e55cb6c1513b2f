import { Flex, Input, SimpleGrid, Textarea } from '@chakra-ui/react';
import { LIMITS, TEXTS, type CreateModelRequest } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import { notify } from '../../components/feedback/notify';
import { Panel } from '../../components/layout/panel';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useCreateModel } from './model-mutations';

type Values = Required<Pick<CreateModelRequest, 'modelId' | 'name' | 'provider' | 'description'>>;

const EMPTY: Values = { modelId: '', name: '', provider: '', description: '' };

export function AddModelForm() {
  const form = useForm<Values>({ defaultValues: EMPTY });
  const create = useCreateModel(() => form.reset(EMPTY));

  const submit = (values: Values) => {
    const modelId = values.modelId.trim();
    const name = values.name.trim();
    const provider = values.provider.trim();
    const description = values.description.trim();
    if (!modelId || !name || !provider) {
      const missing = !modelId ? 'modelId' : !name ? 'name' : 'provider';
      const { missingInformation: title, missingInformationHint: hint } = TEXTS.validation;
      notify({ title, description: hint, kind: 'error' });
      form.setFocus(missing);
      return;
    }
    create.mutate({ modelId, name, provider, ...(description && { description }) });
  };

  return (
    <Panel title="Add New Model">
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <SimpleGrid minChildWidth="12rem" gap="4">
          <FormField label="Model ID">
            <Input
              placeholder="openai/gpt-4o-mini"
              autoComplete="off"
              maxLength={LIMITS.modelId.max}
              {...form.register('modelId')}
            />
          </FormField>
          <FormField label="Display Name">
            <Input
              placeholder="GPT-4o Mini"
              autoComplete="off"
              maxLength={LIMITS.modelName.max}
              {...form.register('name')}
            />
          </FormField>
          <FormField label="Provider">
            <Input
              placeholder="OpenAI"
              autoComplete="off"
              maxLength={LIMITS.modelProvider.max}
              {...form.register('provider')}
            />
          </FormField>
        </SimpleGrid>
        <Flex mt="4" gap="4" align="end" direction={{ base: 'column', md: 'row' }}>
          <FormField label="Description (optional)">
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
            Add Model
          </LoadingButton>
        </Flex>
      </form>
    </Panel>
  );
}
