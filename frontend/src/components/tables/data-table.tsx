import { Box, Flex, SimpleGrid, Skeleton, Stack, Table, Text } from '@chakra-ui/react';
import { type Cell, type Column, FlexRender, type Row } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { useDelayed } from '../hooks/use-delayed';
import { useFocusRecovery } from '../hooks/use-focus-recovery';
import { useNarrow } from '../hooks/use-narrow';
import type { ColumnMeta, DataTableInstance, features } from './table-features';

/** Width in px below which the rows are shown as cards, unless the table needs more. */
const TABLE_WIDTH = 680;

interface DataTableProps<T extends object> {
  label: string;
  table: DataTableInstance<T>;
  isLoading: boolean;
  /** Shown instead of the table when it has no rows. */
  empty: ReactNode;
  /** Width in px that the columns need side by side. */
  minWidth?: number;
}

/** A table with a sticky header, or a list of cards where the table does not fit. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const [ref, isNarrow] = useNarrow(props.minWidth ?? TABLE_WIDTH);
  const focusRef = useFocusRecovery();
  return (
    <Box ref={ref}>
      <Box ref={focusRef}>
        <Content {...props} isNarrow={isNarrow} />
      </Box>
    </Box>
  );
}

function Content<T extends object>({
  isNarrow,
  label,
  table,
  isLoading,
  empty,
}: DataTableProps<T> & { isNarrow: boolean }) {
  if (isLoading) return <LoadingRows label={label} />;
  if (table.getRowModel().rows.length === 0) {
    return (
      <Box py="10" textAlign="center" color="fg.muted">
        {empty}
      </Box>
    );
  }
  return isNarrow ? <Cards label={label} table={table} /> : <WideTable label={label} table={table} />;
}

type RowsProps<T extends object> = Pick<DataTableProps<T>, 'label' | 'table'>;

function WideTable<T extends object>({ label, table }: RowsProps<T>) {
  return (
    <Table.ScrollArea
      borderWidth="1px"
      borderRadius="l2"
      maxH="70dvh"
      whiteSpace="normal"
      tabIndex={0}
      role="region"
      aria-label={t('table.scrollable', { label })}
    >
      <Table.Root size="sm" stickyHeader aria-label={label}>
        <Table.Header>
          {table.getHeaderGroups().map((group) => (
            <Table.Row key={group.id} bg="bg.subtle">
              {group.headers.map((header) => (
                <Table.ColumnHeader
                  key={header.id}
                  whiteSpace="nowrap"
                  textAlign={header.column.columnDef.meta?.align}
                  {...widthOf(header.column.columnDef.meta)}
                  aria-sort={ARIA_SORT[header.column.getIsSorted() || 'none']}
                >
                  {header.column.getCanSort() ? (
                    <SortButton column={header.column}>
                      <FlexRender header={header} />
                    </SortButton>
                  ) : (
                    <FlexRender header={header} />
                  )}
                </Table.ColumnHeader>
              ))}
            </Table.Row>
          ))}
        </Table.Header>
        <Table.Body>
          {table.getRowModel().rows.map((row) => (
            <Table.Row key={row.id} height="11" bg="bg.panel">
              {row.getAllCells().map((cell) => (
                <Table.Cell
                  key={cell.id}
                  textAlign={cell.column.columnDef.meta?.align}
                  css={cell.column.columnDef.meta?.share && ONE_LINE}
                >
                  <FlexRender cell={cell} />
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

/** The texts of a cell in one line each, cut at its end. Without a maximum the column would grow with them. */
const ONE_LINE = {
  maxWidth: 0,
  '& *': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  // It breaks a line in spite of `nowrap`.
  '& wbr': { display: 'none' },
};

const widthOf = ({ share }: ColumnMeta = {}) => share && { width: `${share.percent}%`, minWidth: `${share.min}rem` };

const ARIA_SORT = { none: undefined, asc: 'ascending', desc: 'descending' } as const;
const SORT_ICONS = { none: ChevronsUpDown, asc: ArrowUp, desc: ArrowDown };

interface SortButtonProps<T extends object> {
  column: Column<typeof features, T>;
  children: ReactNode;
}

function SortButton<T extends object>({ column, children }: SortButtonProps<T>) {
  const sorted = column.getIsSorted();
  const Icon = SORT_ICONS[sorted || 'none'];
  return (
    // Inline, so that the button follows the alignment of its column.
    <Flex
      asChild
      display="inline-flex"
      align="center"
      gap="1"
      fontWeight="inherit"
      color={sorted ? 'fg' : 'inherit'}
      borderRadius="l1"
    >
      <Box asChild focusVisibleRing="outside" cursor="pointer" _hover={{ color: 'fg' }}>
        <button type="button" onClick={() => column.toggleSorting(sorted === 'asc')}>
          {children}
          <Icon size={14} aria-hidden />
        </button>
      </Box>
    </Flex>
  );
}

function Cards<T extends object>({ label, table }: RowsProps<T>) {
  return (
    <Stack as="ul" gap="3" listStyleType="none" aria-label={label}>
      {table.getRowModel().rows.map((row) => (
        <Card key={row.id} row={row} />
      ))}
    </Stack>
  );
}

function Card<T extends object>({ row }: { row: Row<typeof features, T> }) {
  const cells = row.getAllCells();
  const cellsAt = (place: 'title' | 'corner' | 'footer') =>
    cells
      .filter((cell) => placeOf(cell) === place)
      .map((cell) => (
        <Box key={cell.id}>
          <FlexRender cell={cell} />
        </Box>
      ));
  const short = cells.filter((cell) => placeOf(cell) === 'half');
  return (
    <Stack as="li" gap="1.5" p="3" borderWidth="1px" borderRadius="l2">
      <Flex gap="2" justify="space-between" align="start">
        <Box minW="0" fontWeight="medium" overflowWrap="anywhere">
          {cellsAt('title')}
        </Box>
        <Flex gap="3" align="center" flexShrink="0">
          {cellsAt('corner')}
        </Flex>
      </Flex>
      {cells
        .filter((cell) => placeOf(cell) === undefined)
        .map((cell) => (
          <Flex key={cell.id} gap="3" justify="space-between" align="center" minH="7">
            <Text color="fg.muted" flexShrink={0}>
              {String(cell.column.columnDef.header)}
            </Text>
            <Box minW="0" textAlign="end" overflowWrap="anywhere">
              <FlexRender cell={cell} />
            </Box>
          </Flex>
        ))}
      {short.length > 0 && (
        <SimpleGrid columns={2} gap="3">
          {short.map((cell) => (
            <Box key={cell.id} minW="0" textAlign="start" overflowWrap="anywhere">
              <Text textStyle="xs" color="fg.muted">
                {String(cell.column.columnDef.header)}
              </Text>
              <FlexRender cell={cell} />
            </Box>
          ))}
        </SimpleGrid>
      )}
      {cellsAt('footer')}
    </Stack>
  );
}

function placeOf<T extends object>(cell: Cell<typeof features, T>) {
  return cell.column.columnDef.meta?.card;
}

function LoadingRows({ label }: { label: string }) {
  const isDue = useDelayed();
  return (
    <Stack gap="2" role="status" aria-label={t('table.loading', { label })} minH="15rem">
      {isDue && Array.from({ length: 5 }, (_, index) => <Skeleton key={index} height="10" />)}
    </Stack>
  );
}
