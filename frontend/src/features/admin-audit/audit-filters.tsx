import { Flex } from '@chakra-ui/react';
import { AUDIT_TARGETS, SEARCH_QUERY_MAX } from '@tanya/contract';
import { findText, t } from '../../app/i18n/translate';
import { FilterDays, FilterField, FilterText } from '../../components/forms/filter-fields';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import type { AddressFilter } from '../../components/hooks/use-address-filter';

export const AUDIT_FIELDS = ['query', 'actor', 'target', 'from', 'to'] as const;

type AuditFilter = AddressFilter<(typeof AUDIT_FIELDS)[number]>;

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (fields: Partial<AuditFilter>) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  return (
    <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="end">
      <SearchField label={t('audit.search')} value={filter.query} onChange={(query) => onChange({ query })} />
      <FilterText
        label={t('audit.actor')}
        value={filter.actor}
        maxLength={SEARCH_QUERY_MAX}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterField label={t('audit.kind')}>
        <Select
          root={{ size: 'sm' }}
          value={filter.target}
          onChange={(event) => onChange({ target: event.target.value })}
          options={[
            ['', t('audit.all')],
            ...AUDIT_TARGETS.map((kind) => [kind, findText(`audit.kind_${kind}`) ?? kind] as const),
          ]}
        />
      </FilterField>
      <FilterDays days={filter} onChange={onChange} />
    </Flex>
  );
}
