import { type Control, useController } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { PlanChecks } from '../../../components/forms/plan-checks';
import type { ServerValues } from './server-values';

export function PlanFields({ control }: { control: Control<ServerValues> }) {
  const { field } = useController({ control, name: 'plans' });
  return (
    <PlanChecks
      legend={t('toolServers.plans')}
      hint={t('toolServers.plansHint')}
      plans={field.value}
      onChange={field.onChange}
      boxRef={field.ref}
      onBlur={field.onBlur}
    />
  );
}
