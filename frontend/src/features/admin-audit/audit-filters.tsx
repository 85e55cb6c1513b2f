import { Box, Flex, Input } from '@chakra-ui/react';
import { AUDIT_TARGETS, SEARCH_QUERY_MAX } from '@tanya/contract';
import { findText, t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import type { AddressFilter } from '../../components/hooks/use-address-filter';

export const AUDIT_FIELDS = ['query', 'actor', 'target', 'from', 'to'] as const;

export type AuditFilter = AddressFilter<(typeof AUDIT_FIELDS)[number]>;

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (fields: Partial<AuditFilter>) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const today = new Date().toISOString().slice(0, 10);
  const day = (field: 'from' | 'to', bounds: { min?: string; max: string }) => (
    <Box flex="1" minW="8.5rem" maxW="11rem">
      <FormField label={t(`usage.${field}`)}>
        <Input
          type="date"
          size="sm"
          {...bounds}
          value={filter[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      </FormField>
    </Box>
  );
  return (
    <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="end">
      <SearchField label={t('audit.search')} value={filter.query} onChange={(query) => onChange({ query })} />
      <Box flex="1" minW="8.5rem" maxW="11rem">
        <FormField label={t('audit.actor')}>
          <Input
            size="sm"
            maxLength={SEARCH_QUERY_MAX}
            value={filter.actor}
            onChange={(event) => onChange({ actor: event.target.value })}
          />
        </FormField>
      </Box>
      <Box flex="1" minW="8.5rem" maxW="11rem">
        <FormField label={t('audit.kind')}>
          <Select
            root={{ size: 'sm' }}
            value={filter.target}
            onChange={(event) => onChange({ target: event.target.value })}
            options={[
              ['', t('audit.all')],
              ...AUDIT_TARGETS.map((kind) => [kind, findText(`audit.kind_${kind}`) ?? kind] as const),
            ]}
          />
        </FormField>
      </Box>
      {day('from', { max: filter.to || today })}
      {day('to', { min: filter.from || undefined, max: today })}
    </Flex>
  );
}
