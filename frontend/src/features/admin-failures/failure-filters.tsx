import { Box, Flex, Input } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { TextButton } from '../../components/buttons/text-button';
import { FormField } from '../../components/forms/form-field';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import { type AddressFilter, paramsOf } from '../../components/hooks/use-address-filter';

export const FAILURE_FIELDS = ['id', 'code', 'modelId', 'connectionId', 'userId', 'from', 'to'] as const;

export type FailureFilter = AddressFilter<(typeof FAILURE_FIELDS)[number]>;

interface FailureFiltersProps {
  filter: FailureFilter;
  onChange: (fields: Partial<FailureFilter>) => void;
}

export function FailureFilters({ filter, onChange }: FailureFiltersProps) {
  const { data: connections = [] } = useQuery(connectionsQuery);
  const today = new Date().toISOString().slice(0, 10);
  const day = (field: 'from' | 'to', bounds: { min?: string; max: string }) => (
    <FilterField label={t(`usage.${field}`)}>
      <Input
        type="date"
        size="sm"
        {...bounds}
        value={filter[field]}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
    </FilterField>
  );
  return (
    <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="end">
      <SearchField label={t('failures.search')} value={filter.id} onChange={(id) => onChange({ id })} />
      <FilterField label={t('failures.code')}>
        <Input
          size="sm"
          maxLength={256}
          value={filter.code}
          onChange={(event) => onChange({ code: event.target.value })}
        />
      </FilterField>
      <FilterField label={t('failures.connection')}>
        <Select
          root={{ size: 'sm' }}
          value={filter.connectionId}
          onChange={(event) => onChange({ connectionId: event.target.value })}
          options={[['', t('failures.allConnections')], ...connections.map(({ id, name }) => [id, name] as const)]}
        />
      </FilterField>
      <FilterField label={t('failures.model')}>
        <Input
          size="sm"
          maxLength={256}
          value={filter.modelId}
          onChange={(event) => onChange({ modelId: event.target.value })}
        />
      </FilterField>
      {day('from', { max: filter.to || today })}
      {day('to', { min: filter.from || undefined, max: today })}
      {paramsOf(filter) !== '' && (
        <TextButton onClick={() => onChange(Object.fromEntries(FAILURE_FIELDS.map((name) => [name, ''])))}>
          {t('failures.showAll')}
        </TextButton>
      )}
    </Flex>
  );
}

const FilterField = ({ label, children }: { label: string; children: ReactElement }) => (
  <Box flex="1" minW="8.5rem" maxW="13rem">
    <FormField label={label}>{children}</FormField>
  </Box>
);
