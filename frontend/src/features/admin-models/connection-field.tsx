import { NativeSelect } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from '../../components/forms/form-field';
import { connectionsQuery } from '../../app/queries/connections.query';

interface ConnectionFieldProps {
  /** The connection of the model: listed as a number until the connections are loaded. */
  saved: number | null;
  field: UseFormRegisterReturn;
}

/** Chooses the connection that answers a model. */
export function ConnectionField({ saved, field }: ConnectionFieldProps) {
  const { data: connections } = useQuery(connectionsQuery);
  return (
    <FormField label="Connection" hint="Automatic uses OpenRouter, else OpenAI, else a local server.">
      <NativeSelect.Root>
        {/* A select shows a value only while it has that option. */}
        <NativeSelect.Field key={connections === undefined ? 'loading' : 'loaded'} {...field}>
          <option value="">Automatic</option>
          {saved !== null && !connections && <option value={saved}>Connection {saved}</option>}
          {connections?.map(({ id, name, enabled }) => (
            <option key={id} value={id}>
              {enabled ? name : `${name} (disabled)`}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </FormField>
  );
}
