import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { TextButton } from '../../components/buttons/text-button';
import { FilterDays, FilterField, FilterText } from '../../components/forms/filter-fields';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import { type AddressFilter, paramsOf } from '../../components/tables/use-address-filter';

export const FAILURE_FIELDS = ['id', 'code', 'modelId', 'connectionId', 'userId', 'from', 'to'] as const;

export type FailureFilter = AddressFilter<(typeof FAILURE_FIELDS)[number]>;

interface FailureFiltersProps {
  filter: FailureFilter;
  onChange: (fields: Partial<FailureFilter>) => void;
}

export function FailureFilters({ filter, onChange }: FailureFiltersProps) {
  const { data: connections = [] } = useQuery(connectionsQuery);
  return (
    <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="end">
      <SearchField
        label={t('failures.search')}
        value={filter.id}
        onChange={(id) => onChange({ id })}
        // As wide as an id.
        maxW={{ sm: '24rem' }}
      />
      <FilterText
        label={t('failures.code')}
        value={filter.code}
        maxLength={256}
        onChange={(code) => onChange({ code })}
      />
      <FilterField label={t('modelsPage.connection')}>
        <Select
          root={{ size: 'sm' }}
          value={filter.connectionId}
          onChange={(event) => onChange({ connectionId: event.target.value })}
          options={[['', t('failures.allConnections')], ...connections.map(({ id, name }) => [id, name] as const)]}
        />
      </FilterField>
      <FilterText
        label={t('common.model')}
        value={filter.modelId}
        maxLength={256}
        onChange={(modelId) => onChange({ modelId })}
      />
      <FilterDays days={filter} onChange={onChange} />
      {paramsOf(filter) !== '' && (
        <TextButton onClick={() => onChange(Object.fromEntries(FAILURE_FIELDS.map((name) => [name, ''])))}>
          {t('failures.showAll')}
        </TextButton>
      )}
    </Flex>
  );
}
