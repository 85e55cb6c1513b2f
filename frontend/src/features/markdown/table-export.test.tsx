import { render, screen } from '@testing-library/react';
import RenderedMarkdown from './rendered-markdown';
import { cellsOf, toCsv, toTsv } from './table-export';
import { FakeTheme } from '../../components/layout/fake-theme';

const TABLE = '| Day | **Note**, text |\n|---|---|\n| 1 | a "b"<br>c |\n| -2.5 | =HYPERLINK("x") |';

function show() {
  render(
    <FakeTheme>
      <RenderedMarkdown text={TABLE} streaming={false} scope="m1" />
    </FakeTheme>,
  );
  return screen.getByRole<HTMLTableElement>('table');
}

test('the cells of a table are what it shows', () => {
  expect(cellsOf(show())).toEqual([
    ['Day', 'Note, text'],
    ['1', 'a "b"\nc'],
    ['-2.5', '=HYPERLINK("x")'],
  ]);
});

test('CSV quotes what needs it, and no cell is run as a formula', () => {
  expect(toCsv(cellsOf(show()))).toBe('Day,"Note, text"\r\n1,"a ""b""\nc"\r\n-2.5,"\'=HYPERLINK(""x"")"\r\n');
});

test('a cell has no tab or line break in the text for spreadsheets', () => {
  expect(toTsv([['a\tb', 'c\nd'], ['1']])).toBe('a b\tc d\n1');
});
