import { Fieldset, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type AdminModel, LIMITS } from '@tanya/contract';
import type { UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import type { ModelFormValues } from './model-form-values';
import { adminModelsQuery } from './models.query';

const PLACES = [0, 1, 2] as const satisfies { length: typeof LIMITS.fallbacks };

/** Chooses the models that answer instead, in their order. A place is shown once those before it are taken. */
export function FallbackFields({ model, form }: { model: AdminModel; form: UseFormReturn<ModelFormValues> }) {
  const { data: models = [] } = useQuery(adminModelsQuery);
  const chosen = form.watch('fallbacks');
  const shown = PLACES.filter((place) => place === 0 || chosen[place] !== '' || chosen[place - 1] !== '');
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
