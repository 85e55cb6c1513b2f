import { NativeSelect } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { connectionsQuery } from '../../app/queries/connections.query';

interface ConnectionFieldProps {
  /** The connection of the model: listed as a number until the connections are loaded. */
  saved: number | null;
  field: UseFormRegisterReturn;
}

export function ConnectionField({ saved, field }: ConnectionFieldProps) {
  const { data: connections } = useQuery(connectionsQuery);
  return (
    <FormField label={t('modelsPage.connection')} hint={t('modelsPage.connectionHint')}>
      <NativeSelect.Root>
        {/* A select shows a value only while it has that option. */}
        <NativeSelect.Field key={connections === undefined ? 'loading' : 'loaded'} {...field}>
          <option value="">{t('modelsPage.automatic')}</option>
          {saved !== null && !connections && (
            <option value={saved}>{t('modelsPage.connectionNumber', { id: saved })}</option>
          )}
          {connections?.map(({ id, name, enabled }) => (
            <option key={id} value={id}>
              {enabled ? name : t('modelsPage.disabledConnection', { name })}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
