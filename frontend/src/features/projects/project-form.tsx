import { CheckboxGroup, Fieldset, Flex, Input, Stack, Textarea } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { PROJECT_LIMITS, type ProjectDetails } from '@tanya/contract';
import { Controller, useForm } from 'react-hook-form';
import { toolTexts } from '../../app/i18n/tool-texts';
import { t } from '../../app/i18n/translate';
import { isOffered, modelsQuery } from '../../app/queries/models.query';
import { toolsQuery } from '../../app/queries/tools.query';
import { LoadingButton } from '../../components/buttons/loading-button';
import { DiscardQuestion } from '../../components/dialogs/modal';
import { editedOnly, hasEdits } from '../../components/forms/edited-only';
import { FormField } from '../../components/forms/form-field';
import { LabelledCheckbox } from '../../components/forms/labelled-checkbox';
import { Select } from '../../components/forms/select';
import { showServerErrors } from '../../components/forms/server-errors';
import { showStored } from '../../components/forms/show-stored';
import { useUnsavedGuard } from '../../components/hooks/use-unsaved-guard';
import { Panel } from '../../components/layout/panel';
import { useUpdateProject } from './project-mutations';

const FIELDS = ['name', 'instructions', 'modelId'] as const;

const valuesOf = ({ name, instructions, modelId, tools }: ProjectDetails) => ({
  name,
  instructions,
  modelId: modelId ?? '',
  tools,
});

/** Name, instructions, model and tools of a project; viewers read them. */
export function ProjectForm({ project, mayEdit }: { project: ProjectDetails; mayEdit: boolean }) {
  const { data: models } = useQuery(modelsQuery);
  const { data: known } = useQuery(toolsQuery);
  const form = useForm({
    values: valuesOf(project),
    // Changes of other editors appear without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const { control, register, setError } = form;
  const { errors, dirtyFields } = form.formState;
  const isSaved = !hasEdits(dirtyFields);
  const guard = useUnsavedGuard(() => !isSaved);
  const save = useUpdateProject(project.id);
  const submit = form.handleSubmit((values) => {
    const request = { ...values, name: values.name.trim(), modelId: values.modelId || null };
    save.mutate(editedOnly(request, dirtyFields), {
      onSuccess: (stored) => showStored(form, valuesOf(stored), values),
      onError: (error) => showServerErrors(error, FIELDS, setError),
    });
  });
  const offered = (models ?? []).filter((model) => isOffered(model) || model.modelId === project.modelId);
  return (
    <Panel title={t('projects.settings')} hint={t('projects.settingsHint')}>
      <form noValidate autoComplete="off" data-saved={isSaved} onSubmit={submit}>
        <Stack gap="4">
          <FormField label={t('common.name')} error={errors.name?.message}>
            <Input
              readOnly={!mayEdit}
              maxLength={PROJECT_LIMITS.name.max}
              {...register('name', { validate: (text) => text.trim() !== '' || t('projects.nameRequired') })}
            />
          </FormField>
          <FormField
            label={t('projects.instructions')}
            hint={t('projects.instructionsHint')}
            error={errors.instructions?.message}
          >
            <Textarea
              rows={6}
              readOnly={!mayEdit}
              maxLength={PROJECT_LIMITS.instructions.max}
              {...register('instructions')}
            />
          </FormField>
          <FormField label={t('projects.model')} hint={t('projects.modelHint')} error={errors.modelId?.message}>
            {/* A select shows a value only while it has that option. */}
            <Select
              key={models === undefined ? 'loading' : 'loaded'}
              root={{ maxW: '24rem' }}
              disabled={!mayEdit}
              {...register('modelId')}
              options={[
                ['', t('projects.noModel')],
                ...offered.map((model): [string, string] => [model.modelId, model.name]),
              ]}
            />
          </FormField>
          {known && known.length > 0 && (
            <Controller
              control={control}
              name="tools"
              render={({ field }) => (
                <Fieldset.Root disabled={!mayEdit}>
                  <Fieldset.Legend textStyle="sm" fontWeight="medium">
                    {t('projects.tools')}
                  </Fieldset.Legend>
                  <Fieldset.HelperText textStyle="xs">{t('projects.toolsHint')}</Fieldset.HelperText>
                  <CheckboxGroup value={field.value} onValueChange={field.onChange} disabled={!mayEdit}>
                    <Flex wrap="wrap" columnGap="6" rowGap="2">
                      {known.map((tool) => (
                        <LabelledCheckbox key={tool.name} value={tool.name} label={toolTexts(tool).title} />
                      ))}
                    </Flex>
                  </CheckboxGroup>
                </Fieldset.Root>
              )}
            />
          )}
          {mayEdit && (
            <Flex>
              <LoadingButton type="submit" colorPalette="jade" disabled={isSaved} loading={save.isPending}>
                {t('projects.save')}
              </LoadingButton>
            </Flex>
          )}
        </Stack>
      </form>
      {guard.isAsking && <DiscardQuestion onStay={guard.stay} onDiscard={guard.leave} />}
    </Panel>
  );
}
