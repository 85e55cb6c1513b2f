import { utils, write } from '@e965/xlsx';
import { read } from '../../../../test/files/made-documents.js';

describe('a workbook', () => {
  const bookOf = (cells: object, hidden = 0, bookType: 'xlsx' | 'xlsb' | 'xls' = 'xlsx') => {
    const book = utils.book_new(utils.aoa_to_sheet([['shown']]), 'One');
    utils.book_append_sheet(book, { '!ref': 'A1:C9', ...cells }, 'Two');
    book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: hidden as 0 | 1 | 2 }] };
    return Buffer.from(write(book, { bookType, type: 'buffer', cellStyles: true }) as Buffer);
  };

  it.each([
    [1, 'hidden'],
    [2, 'very hidden'],
  ])('marks sheets of visibility %d as %s', async (hidden, mark) => {
    const { text } = (await read(bookOf({ A1: { t: 'n', v: 1 } }, hidden), 'zip')) as { text: string };
    expect(text).toContain(`[sheet "Two", ${mark}]`);
  });

  it.each(['xlsx', 'xlsb', 'xls'] as const)('of %s has all digits, and formats as they are shown', async (bookType) => {
    const cells = {
      A1: { t: 'n', v: 123456789012.5 },
      B1: { t: 'n', v: 0.1 + 0.2 },
      C1: { t: 'n', v: 0.256, z: '0.0%' },
      A2: { t: 'n', v: 1234.5, z: '#,##0.00' },
    };
    const { text } = (await read(bookOf(cells, 0, bookType), bookType === 'xls' ? 'ole' : 'zip')) as { text: string };
    expect(text).toContain('123456789012.5\t0.3\t25.6%\n1,234.50');
  });

  it('has every row of a long sheet', async () => {
    const rows = Array.from({ length: 20_050 }, (_, index) => [index === 20_049 ? 'LASTROW' : (index % 9000) + 1000]);
    const bytes = Buffer.from(write(utils.book_new(utils.aoa_to_sheet(rows), 'S'), { type: 'buffer' }) as Buffer);
    const { text, isCut } = (await read(bytes, 'zip')) as { text: string; isCut: boolean };
    expect([text.endsWith('LASTROW'), isCut]).toEqual([true, false]);
  });
});
