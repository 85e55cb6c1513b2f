import { Fieldset, Input, SimpleGrid } from '@chakra-ui/react';
import { SETTINGS, type SettingOf } from '@tanya/contract';
import { useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { ruleOf } from './setting-rule';
import type { SettingsField, SettingsValues } from './setting-values';

export function PlanNumbers({ name }: { name: SettingOf<'wholes'> }) {
  const { register, formState } = useFormContext<SettingsValues>();
  const { min, max, names } = SETTINGS[name];
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t(`settingNames.${name}`)}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t(`settingHints.${name}`)}</Fieldset.HelperText>
      <SimpleGrid minChildWidth="9rem" gap="4">
        {names.map((plan) => {
          const field = `${name}_${plan}` as Extract<SettingsField, `${SettingOf<'wholes'>}_${string}`>;
          return (
            <FormField key={plan} label={t(`toolSettings.${plan}`)} error={formState.errors[field]?.message}>
              <Input
                type="number"
                inputMode="numeric"
                min={min}
                max={max}
                {...register(field, { validate: ruleOf(name) })}
              />
            </FormField>
          );
        })}
      </SimpleGrid>
    </Fieldset.Root>
  );
}
