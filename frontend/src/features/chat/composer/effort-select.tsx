import type { PublicModel, ReasoningEffort } from '@tanya/contract';
import { useEffect, useReducer } from 'react';
import { t } from '../../../app/i18n/translate';
import { EFFORTS_KEY, effortOf, storeEffort } from '../../../app/storage/reasoning-efforts';
import { Select } from '../../../components/forms/select';

export default function EffortSelect({ model }: { model: PublicModel }) {
  const [, readAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    // Another tab changed the choice, which this tab would send too.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === EFFORTS_KEY || key === null) readAgain();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);

  return (
    <Select
      root={{ size: 'xs', width: 'auto', variant: 'plain', flexShrink: 0 }}
      aria-label={t('effort.label')}
      title={t('effort.hint')}
      color="fg.muted"
      value={effortOf(model) ?? ''}
      onChange={({ target }) => {
        storeEffort(model, (target.value || undefined) as ReasoningEffort | undefined);
        readAgain();
      }}
      options={[
        ['', t('effort.default')],
        ...(model.reasoningEfforts ?? []).map((effort) => [effort, t(`effort.${effort}`)] as const),
      ]}
    />
  );
}
