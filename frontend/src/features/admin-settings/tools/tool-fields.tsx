import { Checkbox, CheckboxGroup, Fieldset, Flex, Stack } from '@chakra-ui/react';
import { BUILT_IN_TOOLS, type BuiltInTool, PLANS } from '@tanya/contract';
import { useController } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import type { SettingsValues } from '../settings-rules';
import { SearchFields } from './search-fields';
import { fromPlans, plansField, plansIn } from './tool-values';

/** The tools of the server: who may use each, and the service of the web search. */
export function ToolFields() {
  return (
    <Stack gap="6">
      <Stack gap="4">
        {BUILT_IN_TOOLS.map((tool) => (
          <PlansOf key={tool} tool={tool} />
        ))}
      </Stack>
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
