import { Checkbox, CheckboxGroup, Fieldset, Flex } from '@chakra-ui/react';
import { REASONING_EFFORTS } from '@tanya/contract';
import { type Control, type FieldValues, type Path, useController } from 'react-hook-form';
import { t } from '../../app/i18n/translate';

interface EffortsFieldProps<T extends FieldValues> {
  control: Control<T>;
  name: Path<T>;
}

export function EffortsField<T extends FieldValues>({ control, name }: EffortsFieldProps<T>) {
  const { field } = useController({ control, name });
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('modelsPage.efforts')}
      </Fieldset.Legend>
      <CheckboxGroup colorPalette="jade" value={field.value} onValueChange={(efforts) => field.onChange(efforts)}>
        <Flex gap="3" wrap="wrap" mt="1.5">
          {REASONING_EFFORTS.map((effort) => (
            <Checkbox.Root key={effort} value={effort} colorPalette="jade">
              <Checkbox.HiddenInput />
              <Checkbox.Control />
              <Checkbox.Label>{t(`modelsPage.effort_${effort}`)}</Checkbox.Label>
            </Checkbox.Root>
          ))}
        </Flex>
      </CheckboxGroup>
      <Fieldset.HelperText textStyle="xs" mt="1.5">
        {t('modelsPage.effortsHint')}
      </Fieldset.HelperText>
    </Fieldset.Root>
  );
}
