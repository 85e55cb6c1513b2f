import { Stack } from '@chakra-ui/react';
import { BUILT_IN_TOOLS, type BuiltInTool } from '@tanya/contract';
import { useController } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { PlanChecks } from '../../../components/forms/plan-checks';
import { PlanNumbers } from '../plan-numbers';
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
      <PlanNumbers name="maxSteps" />
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
