import { useQuery } from '@tanstack/react-query';
import type { ModelKind } from '@tanya/contract';
import { useController, useFormContext } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { modelsQuery } from '../../app/queries/models.query';
import { Select } from '../../components/forms/select';
import type { PlainTextKey } from '../../texts/catalogue';
import type { SettingsField, SettingsValues } from './setting-values';

interface ModelSelectProps {
  name: SettingsField;
  kind: ModelKind;
  /** Label of the empty choice. */
  none?: PlainTextKey;
}

/** A choice among the enabled models of a kind. The chosen one stays in the list when it is no longer offered. */
export function ModelSelect({ name, kind, none }: ModelSelectProps) {
  const { control } = useFormContext<SettingsValues>();
  const { field } = useController({ control, name });
  const { data: models = [] } = useQuery(modelsQuery);
  const offered = models.filter((model) => model.kind === kind && model.isEnabled);
  const options = offered.map((model) => [model.modelId, `${model.name} (${model.provider})`] as const);
  const isGone = field.value !== '' && !offered.some(({ modelId }) => modelId === field.value);
  return (
    <Select
      root={{ maxW: '24rem' }}
      {...field}
      options={[
        ['', t(none ?? 'settingsPage.noModel')],
        ...options,
        ...(isGone ? [[field.value, t('settingsPage.modelGone', { model: field.value })] as const] : []),
      ]}
    />
  );
}
