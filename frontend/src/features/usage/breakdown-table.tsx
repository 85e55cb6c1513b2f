import { Table } from '@chakra-ui/react';
import type { UsagePeriod } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { addAmounts, type Amount, formatAmount, type Measure } from './measures';
import { stepText } from './period';
import type { Breakdown } from './series';

interface BreakdownTableProps {
  breakdown: Breakdown;
  caption: string;
  measure: Measure;
  step: UsagePeriod['step'];
  nameOf: (name: string | null) => string;
}

/** The amounts behind a chart, with the sums of each step and name. */
export function BreakdownTable({ breakdown, caption, measure, step, nameOf }: BreakdownTableProps) {
  const { steps, names, rows } = breakdown;
  const show = (amount: Amount) => formatAmount(amount, measure);
  const sums = names.map((_, index) => addAmounts(rows.map((row) => row[index] as Amount)));
  return (
    <Table.ScrollArea
      borderWidth="1px"
      borderRadius="l2"
      maxH="24rem"
      tabIndex={0}
      role="region"
      aria-label={t('table.scrollable', { label: caption })}
    >
      <Table.Root size="sm" stickyHeader aria-label={caption} fontVariantNumeric="tabular-nums">
        <Table.Header>
          <Table.Row bg="bg.subtle">
            <Table.ColumnHeader scope="col">{t(`usage.${step}`)}</Table.ColumnHeader>
            {names.map((name) => (
              <Table.ColumnHeader
                key={name}
                scope="col"
                textAlign="end"
                maxW="9rem"
                whiteSpace="normal"
                overflowWrap="anywhere"
              >
                {nameOf(name)}
              </Table.ColumnHeader>
            ))}
            <Table.ColumnHeader scope="col" textAlign="end">
              {t('usage.total')}
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {steps.map((day, index) => (
            <AmountRow key={day} head={stepText(day, step)} amounts={rows[index]!} show={show} />
          ))}
          <AmountRow head={t('usage.total')} amounts={sums} show={show} isSum />
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

interface AmountRowProps {
  head: string;
  amounts: readonly Amount[];
  show: (amount: Amount) => string;
  isSum?: boolean;
}

function AmountRow({ head, amounts, show, isSum }: AmountRowProps) {
  return (
    <Table.Row bg="bg.panel" fontWeight={isSum ? 'semibold' : undefined}>
      <Table.Cell asChild whiteSpace="nowrap" textAlign="start" fontWeight="inherit">
        <th scope="row">{head}</th>
      </Table.Cell>
      {[...amounts, addAmounts(amounts)].map((amount, index) => (
        <Table.Cell key={index} textAlign="end" whiteSpace="nowrap">
          {show(amount)}
        </Table.Cell>
      ))}
    </Table.Row>
  );
}
