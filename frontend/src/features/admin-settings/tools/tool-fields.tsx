import { Fieldset, Input, SimpleGrid, Stack } from '@chakra-ui/react';
import { BUILT_IN_TOOLS, type BuiltInTool, PLANS, SETTINGS } from '@tanya/contract';
import { useController, useFormContext } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { FormField } from '../../../components/forms/form-field';
import { PlanChecks } from '../../../components/forms/plan-checks';
import { ruleOf } from '../setting-rule';
import { fromPlans, plansIn, type SettingsValues } from '../setting-values';
import { SearchFields } from './search-fields';

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
  const { field } = useController<SettingsValues>({ name: `builtInTools_${tool}` });
  return (
    <PlanChecks
      legend={t(`tools.${tool}`)}
      hint={t(`tools.${tool}_hint`)}
      plans={plansIn(String(field.value))}
      onChange={(plans) => field.onChange(fromPlans(plans))}
      boxRef={field.ref}
      onBlur={field.onBlur}
    />
  );
}

/** How often a model may call tools for one answer, by plan. */
function Steps() {
  const { register, formState } = useFormContext<SettingsValues>();
  const { min, max } = SETTINGS.maxSteps;
  return (
    <Fieldset.Root>
      <Fieldset.Legend textStyle="sm" fontWeight="medium">
        {t('settingNames.maxSteps')}
      </Fieldset.Legend>
      <Fieldset.HelperText textStyle="xs">{t('settingHints.maxSteps')}</Fieldset.HelperText>
      <SimpleGrid minChildWidth="9rem" gap="4">
        {PLANS.map((plan) => (
          <FormField key={plan} label={t(`toolSettings.${plan}`)} error={formState.errors[`maxSteps_${plan}`]?.message}>
            <Input
              type="number"
              inputMode="numeric"
              min={min}
              max={max}
              {...register(`maxSteps_${plan}`, { validate: ruleOf('maxSteps') })}
            />
          </FormField>
        ))}
      </SimpleGrid>
    </Fieldset.Root>
  );
}
