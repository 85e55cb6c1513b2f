import { Flex, Text } from '@chakra-ui/react';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../buttons/loading-button';
import { Select } from '../forms/select';

export const PAGE_SIZES = [25, 50, 100, 200] as const;

interface PagerProps {
  from: number;
  shown: number;
  /** undefined when the server does not count. */
  total?: number;
  hasNext: boolean;
  onPrevious: () => void;
  onNext: () => void;
  pageSize: number;
  onPageSize: (size: number) => void;
}

export function Pager({ from, shown, total, hasNext, onPrevious, onNext, pageSize, onPageSize }: PagerProps) {
  return (
    <Flex mt="3" gap="3" align="center" justify="space-between" wrap="wrap">
      <Flex align="center" gap="2" color="fg.muted">
        {t('table.rows')}
        <Select
          root={{ size: 'xs', width: '5rem' }}
          aria-label={t('table.rowsPerPage')}
          value={pageSize}
          onChange={(event) => onPageSize(Number(event.target.value))}
          options={PAGE_SIZES.map((size) => [size, String(size)])}
        />
      </Flex>
      <Flex align="center" gap="2">
        <Text color="fg.muted" fontVariantNumeric="tabular-nums">
          {rangeText(from, shown, total)}
        </Text>
        <LoadingButton size="xs" variant="outline" disabled={from === 0} onClick={onPrevious}>
          {t('table.previous')}
        </LoadingButton>
        <LoadingButton size="xs" variant="outline" disabled={!hasNext} onClick={onNext}>
          {t('table.next')}
        </LoadingButton>
      </Flex>
    </Flex>
  );
}

function rangeText(from: number, shown: number, total: number | undefined): string {
  if (shown === 0) return total === undefined ? '0' : t('table.noneOf', { total: formatNumber(total) });
  const range = { from: formatNumber(from + 1), to: formatNumber(from + shown) };
  return total === undefined ? t('table.range', range) : t('table.rangeOf', { ...range, total: formatNumber(total) });
}
