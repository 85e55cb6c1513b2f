import { Skeleton, Stack, Text, Textarea } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { INSTRUCTIONS_MAX, type Preferences } from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { formatNumber } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { preferencesQuery, savePreferences } from '../../../app/queries/preferences.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { editedOnly, hasEdits } from '../../../components/forms/edited-only';
import { FormCheckbox } from '../../../components/forms/form-checkbox';
import { FormField } from '../../../components/forms/form-field';
import { showStored } from '../../../components/forms/show-stored';

const SHOW_LENGTH_ABOVE = INSTRUCTIONS_MAX * 0.8;

type Values = Pick<Preferences, 'aboutMe' | 'howToAnswer' | 'useInstructions'>;

const valuesOf = ({ aboutMe, howToAnswer, useInstructions }: Preferences): Values => ({
  aboutMe,
  howToAnswer,
  useInstructions,
});

export function InstructionsForm({ userId }: { userId: number }) {
  const { data: preferences, isError, refetch } = useQuery(preferencesQuery(userId));
  if (isError && !preferences) return <LoadError message={t('instructions.loadFailed')} onRetry={refetch} />;
  if (!preferences) return <Skeleton height="12rem" />;
  return <Form userId={userId} preferences={preferences} />;
}

function Form({ userId, preferences }: { userId: number; preferences: Preferences }) {
  const form = useForm<Values>({
    values: valuesOf(preferences),
    // A change in another tab appears without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const values = useWatch({ control: form.control });
  const { dirtyFields } = form.formState;
  const isSaved = !hasEdits(dirtyFields);
  const save = useSingleFlightMutation({
    mutationFn: (sent: Values) => savePreferences(userId, editedOnly(sent, dirtyFields)),
    onSuccess: (stored, sent) => {
      showStored(form, valuesOf(stored), sent);
      notify({ title: t('instructions.saved') });
    },
    onError: fail('instructions.failed'),
  });
  const field = (name: 'aboutMe' | 'howToAnswer') => {
    const length = values[name]?.length ?? 0;
    const figures = { length: formatNumber(length), max: formatNumber(INSTRUCTIONS_MAX) };
    const isNearMax = length > SHOW_LENGTH_ABOVE;
    return (
      <FormField
        label={t(`instructions.${name}`)}
        hint={
          <Text as="span">
            {t(`instructions.${name}Hint`)}
            {isNearMax && (
              <Text as="span" display="block">
                {t('composer.length', figures)}
              </Text>
            )}
          </Text>
        }
      >
        <Textarea {...form.register(name)} dir="auto" rows={4} maxLength={INSTRUCTIONS_MAX} />
      </FormField>
    );
  };
  return (
    <form noValidate data-saved={isSaved} onSubmit={form.handleSubmit((sent) => save.mutate(sent))}>
      <Stack gap="3" align="start">
        <FormCheckbox control={form.control} name="useInstructions" label={t('instructions.use')} />
        {field('aboutMe')}
        {field('howToAnswer')}
        <LoadingButton type="submit" variant="outline" disabled={isSaved} loading={save.isPending}>
          {t('instructions.save')}
        </LoadingButton>
      </Stack>
    </form>
  );
}
