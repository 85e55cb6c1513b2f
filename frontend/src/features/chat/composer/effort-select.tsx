import { NativeSelect } from '@chakra-ui/react';
import type { PublicModel, ReasoningEffort } from '@tanya/contract';
import { useEffect, useReducer } from 'react';
import { t } from '../../../app/i18n/translate';
import { EFFORTS_KEY, effortOf, storeEffort } from '../../../app/storage/reasoning-efforts';

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
    <NativeSelect.Root size="xs" width="auto" variant="plain" flexShrink={0}>
      <NativeSelect.Field
        aria-label={t('effort.label')}
        title={t('effort.hint')}
        color="fg.muted"
        value={effortOf(model) ?? ''}
        onChange={({ target }) => {
          storeEffort(model, (target.value || undefined) as ReasoningEffort | undefined);
          readAgain();
        }}
      >
        <option value="">{t('effort.default')}</option>
        {model.reasoningEfforts?.map((effort) => (
          <option key={effort} value={effort}>
            {t(`effort.${effort}`)}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
}
