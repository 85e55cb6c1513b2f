import { Text } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import type { KeyUsage, ModelUsage, PersonUsage, UsageSums } from '@tanya/contract';
import { useState } from 'react';
import { formatNumber } from '../../app/i18n/formats';
import { formatExactUsd, formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { columnHelperFor } from '../../components/tables/table-features';
import { usePlainTable } from '../../components/tables/use-plain-table';
import { isCostUnknown, tokensOf } from './measures';

interface TopRow {
  id: string;
  name: string;
  note: string | null;
  sums: UsageSums;
  /** The filter that shows the row alone; null without one. */
  filter: Record<string, string> | null;
}

interface TopListProps {
  title: string;
  head: string;
  rows: TopRow[];
  empty: string;
}

function TopList({ title, head, rows, empty }: TopListProps) {
  const [columns] = useState(() => columnsWith(head));
  const table = usePlainTable({ rows, columns, rowId: ({ id }) => id });
  return (
    <Panel title={title} hint={t('usage.topHint')}>
      <DataTable label={title} table={table} isLoading={false} empty={empty} />
    </Panel>
  );
}

export function TopPeople({ people }: { people: PersonUsage[] }) {
  const rows = people.map((person): TopRow => ({
    id: person.owner,
    sums: person,
    filter: person.userId === null ? null : { userId: String(person.userId) },
    ...personName(person),
  }));
  return <TopList title={t('usage.topPeople')} head={t('usage.person')} rows={rows} empty={t('usage.none')} />;
}

interface TopModelsProps {
  models: ModelUsage[];
  nameOf: (name: string | null) => string;
  /** Whether the list is of one account, whose report has no filter. */
  isOwn: boolean;
}

export function TopModels({ models, nameOf, isOwn }: TopModelsProps) {
  const rows = models.map((sums): TopRow => {
    const name = nameOf(sums.modelId);
    const filter = isOwn || sums.modelId === '' ? null : { modelId: sums.modelId };
    return { id: sums.modelId, name, note: name === sums.modelId ? null : sums.modelId, sums, filter };
  });
  return <TopList title={t('usage.topModels')} head={t('common.model')} rows={rows} empty={t('usage.none')} />;
}

interface TopKeysProps {
  keys: KeyUsage[];
  /** Whether the list is of one account, whose name needs no mention. */
  isOwn: boolean;
}

export function TopKeys({ keys, isOwn }: TopKeysProps) {
  const rows = keys.map((key): TopRow => ({
    id: String(key.apiKeyId),
    name: key.name ?? t('usage.deletedKey', { id: key.apiKeyId }),
    note: isOwn ? null : key.username,
    sums: key,
    filter: isOwn ? null : { keyId: String(key.apiKeyId) },
  }));
  return <TopList title={t('usage.topKeys')} head={t('usage.key')} rows={rows} empty={t('usage.noKeys')} />;
}

function personName({ owner, userId, username }: PersonUsage): Pick<TopRow, 'name' | 'note'> {
  if (username !== null) return { name: username, note: null };
  if (userId !== null || owner === 'anonymous') return { name: t('usage.deletedAccounts'), note: null };
  return { name: t('usage.guest'), note: owner.slice(owner.indexOf(':') + 1) };
}

const column = columnHelperFor<TopRow>();

const columnsWith = (head: string) =>
  column.columns([
    column.accessor('name', { header: head, meta: { card: 'title' }, cell: ({ row }) => <Name row={row.original} /> }),
    column.accessor(({ sums }) => sums.messages, {
      id: 'messages',
      header: t('usage.messages'),
      meta: { align: 'end' },
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    column.accessor(({ sums }) => tokensOf(sums), {
      id: 'tokens',
      header: t('usage.tokens'),
      meta: { align: 'end' },
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    column.accessor(({ sums }) => sums.failures, {
      id: 'failures',
      header: t('usage.errors'),
      meta: { align: 'end' },
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    column.accessor(({ sums }) => sums.costUsd, {
      id: 'cost',
      header: t('usage.cost'),
      meta: { align: 'end' },
      cell: ({ row }) => <Cost sums={row.original.sums} />,
    }),
  ]);

function Name({ row: { name, note, filter } }: { row: TopRow }) {
  return (
    <>
      <Text overflowWrap="anywhere">{filter ? <FilterLink filter={filter}>{name}</FilterLink> : name}</Text>
      {note && (
        <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          {note}
        </Text>
      )}
    </>
  );
}

/** Keeps the period and the rest of the filter. */
const FilterLink = ({ filter, children }: { filter: Record<string, string>; children: string }) => (
  <Link
    to="."
    search={((search: Record<string, unknown>) => ({ ...search, ...filter })) as never}
    style={{ textDecoration: 'underline' }}
  >
    {children}
  </Link>
);

function Cost({ sums }: { sums: UsageSums }) {
  const { costUsd, unpriced } = sums;
  if (isCostUnknown(sums)) return t('usage.unknown');
  return (
    <>
      <span title={formatExactUsd(costUsd)}>{formatUsd(costUsd)}</span>
      {unpriced > 0 && (
        <Text textStyle="xs" color="fg.muted">
          {t('usage.unpriced', { count: unpriced })}
        </Text>
      )}
    </>
  );
}
