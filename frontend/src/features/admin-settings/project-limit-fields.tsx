import { Fieldset, Input, SimpleGrid } from '@chakra-ui/react';
import { SETTINGS } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { formatDecimal } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { rangeRule } from './setting-rule';
import type { LimitField, SettingsValues } from './setting-values';

const { names, parts } = SETTINGS.projectLimits;

const PARTS = ['files', 'bytes', 'characters'] as const satisfies (keyof typeof parts)[];

const MEGABYTE = 1024 * 1024;

/** What a project may keep, by the plan of its owner. */
export function ProjectLimitFields() {
  const { register, watch, formState } = useFormContext<SettingsValues>();
  return (
    <>
      {names.map((plan) => (
        <Fieldset.Root key={plan}>
          <Fieldset.Legend textStyle="sm">{t(`projectLimits.plan.${plan}`)}</Fieldset.Legend>
          <SimpleGrid columns={{ base: 1, sm: 3 }} gap="4" mt="2">
            {PARTS.map((part) => {
              const field: LimitField = `projectLimits_${plan}_${part}`;
              const megabytes = part === 'bytes' ? Number(watch(field)) / MEGABYTE : NaN;
              return (
                <FormField
                  key={part}
                  label={t(`projectLimits.part.${part}`)}
                  hint={Number.isFinite(megabytes) ? `${formatDecimal(megabytes)} MB` : undefined}
                  error={formState.errors[field]?.message}
                >
                  <Input
                    type="number"
                    inputMode="numeric"
                    {...parts[part]}
                    {...register(field, { validate: rangeRule(parts[part]) })}
                  />
                </FormField>
              );
            })}
          </SimpleGrid>
        </Fieldset.Root>
      ))}
    </>
  );
}
