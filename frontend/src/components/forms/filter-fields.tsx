import { Box, Flex, Input } from '@chakra-ui/react';
import type { ReactElement } from 'react';
import { t } from '../../app/i18n/translate';
import { FormField } from './form-field';

/** A field in the row that narrows a list. */
export const FilterField = ({ label, children }: { label: string; children: ReactElement }) => (
  <Box flex="1" minW="9rem" maxW="13rem">
    <FormField label={label}>{children}</FormField>
  </Box>
);

interface FilterTextProps {
  label: string;
  value: string;
  maxLength: number;
  onChange: (text: string) => void;
}

export const FilterText = ({ label, value, maxLength, onChange }: FilterTextProps) => (
  <FilterField label={label}>
    <Input size="sm" maxLength={maxLength} value={value} onChange={(event) => onChange(event.target.value)} />
  </FilterField>
);

interface Days {
  from: string;
  to: string;
}

/** The first and the last day, none of them after today. They stay together where the row breaks. */
export function FilterDays({ days: { from, to }, onChange }: { days: Days; onChange: (days: Partial<Days>) => void }) {
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Flex flex="2" minW="min(100%, 19rem)" maxW="27rem" columnGap="3" rowGap="2" wrap="wrap">
      <FilterField label={t('usage.from')}>
        <Input
          type="date"
          size="sm"
          max={to || today}
          value={from}
          onChange={(event) => onChange({ from: event.target.value })}
        />
      </FilterField>
      <FilterField label={t('usage.to')}>
        <Input
          type="date"
          size="sm"
          min={from || undefined}
          max={today}
          value={to}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </FilterField>
    </Flex>
  );
}
