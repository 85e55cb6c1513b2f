import { jest } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DataTable } from './data-table';
import { columnHelperFor } from './table-features';
import { useLocalTable } from './use-local-table';
import { FakeTheme } from '../layout/fake-theme';

interface Item {
  name: string;
  size: number;
}

const column = columnHelperFor<Item>();
const columns = column.columns([
  column.accessor('name', { header: 'Name' }),
  column.accessor('size', { header: 'Size', enableSorting: true, meta: { align: 'end' } }),
]);
const rows: Item[] = [
  { name: 'Boat', size: 12 },
  { name: 'Ferry', size: 900 },
  { name: 'Raft', size: 3 },
];

function List() {
  const { table } = useLocalTable({ rows, columns, rowId: ({ name }) => name });
  return <DataTable label="Boats" table={table} isLoading={false} empty="None" />;
}

/** Shows the list in an element of this width: jsdom has no layout. */
function show(width: number) {
  jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(width);
  render(
    <FakeTheme>
      <List />
    </FakeTheme>,
  );
  return userEvent.setup({ delay: null });
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('sorts by a header in both directions', async () => {
  const user = show(900);
  const header = screen.getByRole('columnheader', { name: 'Size' });
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[0]?.textContent);
  expect(header.getAttribute('aria-sort')).toBeNull();
  await user.click(within(header).getByRole('button'));
  expect([header.getAttribute('aria-sort'), names()]).toEqual(['ascending', ['Raft', 'Boat', 'Ferry']]);
  await user.click(within(header).getByRole('button'));
  expect([header.getAttribute('aria-sort'), names()]).toEqual(['descending', ['Ferry', 'Boat', 'Raft']]);
});

test('shows a card per row where the table does not fit', () => {
  show(390);
  expect(screen.queryByRole('table')).toBeNull();
  const cards = within(screen.getByRole('list', { name: 'Boats' })).getAllByRole('listitem');
  expect(cards.map(({ textContent }) => textContent)).toEqual(['NameBoatSize12', 'NameFerrySize900', 'NameRaftSize3']);
});

test('shows the content that the table has for cards', () => {
  function Own() {
    const { table } = useLocalTable({ rows, columns, rowId: ({ name }) => name });
    return <DataTable label="Boats" table={table} isLoading={false} empty="None" card={({ name }) => `The ${name}`} />;
  }
  jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(390);
  render(
    <FakeTheme>
      <Own />
    </FakeTheme>,
  );
  const cards = within(screen.getByRole('list', { name: 'Boats' })).getAllByRole('listitem');
  expect(cards.map(({ textContent }) => textContent)).toEqual(['The Boat', 'The Ferry', 'The Raft']);
});

test('aligns a header with the cells of its column', () => {
  show(900);
  const cellsAt = (index: number) =>
    screen.getAllByRole('row').map((row) => getComputedStyle(row.children[index]!).textAlign);
  expect(new Set(cellsAt(1))).toEqual(new Set(['end']));
  expect(cellsAt(0)).not.toContain('end');
});
