import { Checkbox, CheckboxGroup, Fieldset, Flex, Input, SimpleGrid, Stack } from '@chakra-ui/react';
import { BUILT_IN_TOOLS, type BuiltInTool, LIMITS, PLANS } from '@tanya/contract';
import { useController, useFormContext } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { FormField } from '../../../components/forms/form-field';
import { RULES, type SettingsValues } from '../settings-rules';
import { SearchFields } from './search-fields';
import { fromPlans, plansField, plansIn, stepsField } from './tool-values';

/** The tools of the server: who may use each, and the service of the web search. */
export function ToolFields() {
  return (
    <Stack gap="6">
      <Stack gap="4">
        {BUILT_IN_TOOLS.map((tool) => (
          <PlansOf key={tool} tool={tool} />
        ))}
      </Stack>
      <Steps />
      <SearchFields />
    </Stack>
  );
}

function PlansOf({ tool }: { tool: BuiltInTool }) {
  const { field } = useController<SettingsValues>({ name: plansField(tool) });
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t(`tools.${tool}`)}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t(`tools.${tool}_hint`)}</Fieldset.HelperText>
      <CheckboxGroup value={plansIn(String(field.value))} onValueChange={(plans) => field.onChange(fromPlans(plans))}>
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

/** How often a model may call tools for one answer, by plan. */
function Steps() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { min, max } = LIMITS.maxSteps;
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('toolSettings.steps')}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t('toolSettings.stepsHint')}</Fieldset.HelperText>
      <SimpleGrid minChildWidth="9rem" gap="4">
        {PLANS.map((plan) => (
          <FormField key={plan} label={t(`toolSettings.${plan}`)} error={formState.errors[stepsField(plan)]?.message}>
            <Input
              type="number"
              inputMode="numeric"
              min={min}
              max={max}
              {...register(stepsField(plan), { validate: RULES.steps })}
            />
          </FormField>
        ))}
      </SimpleGrid>
    </Fieldset.Root>
  );
}
