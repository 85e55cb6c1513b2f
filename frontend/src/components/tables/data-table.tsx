import { Box, Flex, Skeleton, Stack, Table, Text } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDelayed } from '../timing/use-delayed';
import { useNarrow } from '../layout/use-narrow';

/** Less room than this, in px, and a row becomes a card. */
const TABLE_WIDTH = 680;

export interface Column<T> {
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  sortable?: boolean;
  align?: 'start' | 'end';
  width?: string;
  /** Where a card shows it; without it, in a row under the column's header. */
  inCard?: 'title' | 'corner' | 'footer';
}

export interface Sort {
  key: string;
  descending: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  /** undefined while they are being read. */
  rows: T[] | undefined;
  rowKey: (row: T) => string | number;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
}

/** A table where there is room for one, else a list of cards. */
export function DataTable<T>(props: DataTableProps<T>) {
  const [ref, narrow] = useNarrow(TABLE_WIDTH);
  return (
    <Box ref={ref}>
      <Content {...props} narrow={narrow} />
    </Box>
  );
}

function Content<T>({ narrow, ...props }: DataTableProps<T> & { narrow: boolean }) {
  if (!props.rows) return <LoadingRows label={props.label} />;
  if (props.rows.length === 0) {
    return (
      <Box py="10" textAlign="center" color="fg.muted">
        {props.empty}
      </Box>
    );
  }
  return narrow ? <Cards {...props} rows={props.rows} /> : <WideTable {...props} rows={props.rows} />;
}

function WideTable<T>({ label, columns, rows, rowKey, sort, onSort }: DataTableProps<T> & { rows: T[] }) {
  return (
    <Table.ScrollArea
      borderWidth="1px"
      borderRadius="l2"
      maxH="70dvh"
      whiteSpace="normal"
      tabIndex={0}
      role="region"
      aria-label={`${label}, scrollable`}
    >
      <Table.Root size="sm" stickyHeader aria-label={label}>
        <Table.Header>
          <Table.Row bg="bg.subtle">
            {columns.map((column) => (
              <Table.ColumnHeader
                key={column.key}
                width={column.width}
                whiteSpace="nowrap"
                textAlign={column.align}
                aria-sort={sort?.key === column.key ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {column.sortable && onSort ? (
                  <SortButton column={column.key} label={column.header} sort={sort} onSort={onSort} />
                ) : (
                  column.header
                )}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={rowKey(row)} height="11" bg="bg.panel">
              {columns.map((column) => (
                <Table.Cell key={column.key} textAlign={column.align}>
                  {column.cell(row)}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

interface SortButtonProps {
  column: string;
  label: string;
  sort?: Sort;
  onSort: (sort: Sort) => void;
}

function SortButton({ column, label, sort, onSort }: SortButtonProps) {
  const active = sort?.key === column;
  const Icon = !active ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp;
  return (
    <Flex asChild align="center" gap="1" fontWeight="inherit" color={active ? 'fg' : 'inherit'} borderRadius="l1">
      <Box asChild focusVisibleRing="outside" cursor="pointer" _hover={{ color: 'fg' }}>
        <button type="button" onClick={() => onSort({ key: column, descending: active ? !sort.descending : false })}>
          {label}
          <Icon size={14} aria-hidden />
        </button>
      </Box>
    </Flex>
  );
}

function Cards<T>({ label, columns, rows, rowKey }: DataTableProps<T> & { rows: T[] }) {
  const placed = (place: Column<T>['inCard']) => columns.filter((column) => column.inCard === place);
  const cells = (place: Column<T>['inCard'], row: T) =>
    placed(place).map((column) => <Box key={column.key}>{column.cell(row)}</Box>);
  return (
    <Stack as="ul" gap="3" listStyleType="none" aria-label={label}>
      {rows.map((row) => (
        <Stack as="li" key={rowKey(row)} gap="1.5" p="3" borderWidth="1px" borderRadius="l2">
          <Flex gap="2" justify="space-between" align="start">
            <Box minW="0" fontWeight="medium" overflowWrap="anywhere">
              {cells('title', row)}
            </Box>
            {cells('corner', row)}
          </Flex>
          {placed(undefined).map((column) => (
            <Flex key={column.key} gap="3" justify="space-between" align="center" minH="7">
              <Text color="fg.muted" flexShrink={0}>
                {column.header}
              </Text>
              <Box minW="0" textAlign="end" overflowWrap="anywhere">
                {column.cell(row)}
              </Box>
            </Flex>
          ))}
          {cells('footer', row)}
        </Stack>
      ))}
    </Stack>
  );
}

function LoadingRows({ label }: { label: string }) {
  const late = useDelayed();
  return (
    <Stack gap="2" role="status" aria-label={`Loading ${label}`} minH="15rem">
      {late && Array.from({ length: 5 }, (_, index) => <Skeleton key={index} height="10" />)}
    </Stack>
  );
}
