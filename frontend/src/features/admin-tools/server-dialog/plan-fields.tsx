import { Checkbox, CheckboxGroup, Fieldset, Flex } from '@chakra-ui/react';
import { PLANS } from '@tanya/contract';
import { type Control, useController } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import type { ServerValues } from './server-values';

/** The plans whose members are offered the tools of the server. */
export function PlanFields({ control }: { control: Control<ServerValues> }) {
  const { field } = useController({ control, name: 'plans' });
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('toolServers.plans')}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t('toolServers.plansHint')}</Fieldset.HelperText>
      <CheckboxGroup
        value={field.value}
        onValueChange={(chosen) => field.onChange(PLANS.filter((plan) => chosen.includes(plan)))}
      >
        <Flex wrap="wrap" columnGap="6" rowGap="2">
          {PLANS.map((plan, index) => (
            <Checkbox.Root key={plan} value={plan} colorPalette="jade">
              <Checkbox.HiddenInput ref={index === 0 ? field.ref : undefined} onBlur={field.onBlur} />
              <Checkbox.Control />
              <Checkbox.Label>{t(`toolSettings.${plan}`)}</Checkbox.Label>
            </Checkbox.Root>
          ))}
        </Flex>
      </CheckboxGroup>
    </Fieldset.Root>
  );
}
