import { Box, Flex, Grid, Stack, Table, Text } from '@chakra-ui/react';
import { type Cell, type Column, FlexRender, type Row } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadingRows } from '../feedback/loading-rows';
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
  /** The content of a row's card. By default it has a line for each cell. */
  card?: (row: T) => ReactNode;
}

/** A table with a sticky header, or cards where the table does not fit. */
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
  card,
}: DataTableProps<T> & { isNarrow: boolean }) {
  if (isLoading)
    return <LoadingRows label={t('table.loading', { label })} count={5} row={{ height: '10' }} gap="2" minH="15rem" />;
  if (table.getRowModel().rows.length === 0) {
    return (
      <Box py="10" textAlign="center" color="fg.muted">
        {empty}
      </Box>
    );
  }
  return isNarrow ? <Cards label={label} table={table} card={card} /> : <WideTable label={label} table={table} />;
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

function Cards<T extends object>({ label, table, card }: RowsProps<T> & Pick<DataTableProps<T>, 'card'>) {
  return (
    <Grid
      as="ul"
      gap="3"
      listStyleType="none"
      templateColumns="repeat(auto-fill, minmax(min(100%, 19rem), 1fr))"
      aria-label={label}
    >
      {table.getRowModel().rows.map((row) => (
        <Stack as="li" key={row.id} gap="1.5" px="3" py="2" borderWidth="1px" borderRadius="l2">
          {card ? card(row.original) : <CardCells row={row} />}
        </Stack>
      ))}
    </Grid>
  );
}

function CardCells<T extends object>({ row }: { row: Row<typeof features, T> }) {
  const cells = row.getAllCells();
  const cellsAt = (place: ColumnMeta['card']) =>
    cells
      .filter((cell) => placeOf(cell) === place)
      .map((cell) => (
        <Box key={cell.id}>
          <FlexRender cell={cell} />
        </Box>
      ));
  return (
    <>
      <Flex gap="2" justify="space-between" align="center">
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
      {cellsAt('footer')}
    </>
  );
}

function placeOf<T extends object>(cell: Cell<typeof features, T>) {
  return cell.column.columnDef.meta?.card;
}
