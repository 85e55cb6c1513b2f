import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { createTheme } from '../../app/theme/theme';
import { DataTable } from './data-table';
import { columnHelperFor } from './table-features';
import { useLocalTable } from './use-local-table';

interface Item {
  name: string;
  size: number;
}

const column = columnHelperFor<Item>();
const columns = column.columns([
  column.accessor('name', { header: 'Name' }),
  column.accessor('size', { header: 'Size', enableSorting: true, meta: { align: 'end' } }),
]);
const rows: Item[] = [{ name: 'Boat', size: 12 }];

function List() {
  const { table } = useLocalTable({ rows, columns, rowId: ({ name }) => name });
  return <DataTable label="Boats" table={table} isLoading={false} empty="None" />;
}

test('the header of a sorted column follows the alignment of its numbers', () => {
  // jsdom has no layout: a wide element shows the table instead of cards.
  const width = Object.getOwnPropertyDescriptor(Element.prototype, 'clientWidth');
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, value: 900 });
  render(
    <ChakraProvider value={createTheme()}>
      <List />
    </ChakraProvider>,
  );
  if (width) Object.defineProperty(Element.prototype, 'clientWidth', width);
  const header = screen.getByRole('columnheader', { name: 'Size' });
  expect(getComputedStyle(header).textAlign).toBe('end');
  expect(getComputedStyle(screen.getByRole('button', { name: 'Size' })).display).toBe('inline-flex');
});
