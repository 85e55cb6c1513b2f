import { utils, write } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { encrypt } from 'officecrypto-tool';
import { CFB, ole, read, rels, xlsRecord } from '../../../../../test/files/made-documents.js';

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

  it.each([
    [1251, 'windows-1251', 'Имя;Город'],
    [932, 'shift_jis', '東京漢字'],
    [10_000, 'macintosh', 'Größe äöü'],
    [850, 'cp850', 'Größe ø'],
  ])('of Excel 95 is read in its code page: %d', async (page, encoding, text) => {
    const letters = iconv.encode(text, encoding);
    const placeholder = 'Q'.repeat(letters.length);
    const book = utils.book_new(utils.aoa_to_sheet([[placeholder]]), 'One');
    const bytes = Buffer.from(write(book, { bookType: 'biff5', type: 'buffer' }) as Buffer);
    letters.copy(bytes, bytes.indexOf(placeholder));
    bytes.writeUInt16LE(page, bytes.indexOf('42000200e404', 'hex') + 4);
    expect(await read(bytes, 'ole')).toMatchObject({ text: `[sheet "One"]\n${text}` });
  });

  it('in the binary format has its text boxes', async () => {
    const parts = unzipSync(bookOf({ A1: { t: 'n', v: 1 } }, 0, 'xlsb'));
    const drawing =
      '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>in a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>';
    parts['xl/worksheets/_rels/sheet2.bin.rels'] = strToU8(rels(['drawing', '../drawings/drawing1.xml']));
    parts['xl/drawings/drawing1.xml'] = strToU8(drawing);
    expect(await read(Buffer.from(zipSync(parts)), 'zip')).toMatchObject({
      text: '[sheet "One"]\nshown\n\n[sheet "Two"]\n1\n\nin a box',
    });
  });

  it('in the binary format ends a text with its part, whatever length it claims', async () => {
    const parts = unzipSync(bookOf({ A1: { t: 's', v: 'last' } }, 0, 'xlsb'));
    const sheet = Buffer.from(parts['xl/worksheets/sheet2.bin']!);
    sheet.writeUInt32LE(2_000_000, sheet.indexOf(Buffer.from('last', 'utf16le')) - 4);
    parts['xl/worksheets/sheet2.bin'] = sheet;
    const { text, isCut } = (await read(Buffer.from(zipSync(parts)), 'zip')) as { text: string; isCut: boolean };
    expect(text).toContain('[sheet "Two"]\nlast');
    expect(isCut).toBe(false);
  });

  it('in the binary format whose list of sheets claims texts of any length is broken', async () => {
    const parts = unzipSync(bookOf({ A1: { t: 's', v: 'last' } }, 0, 'xlsb'));
    const list = Buffer.from(parts['xl/workbook.bin']!);
    list.writeUInt32LE(400_000_000, list.indexOf(Buffer.from('Two', 'utf16le')) - 4);
    parts['xl/workbook.bin'] = list;
    expect(await read(Buffer.from(zipSync(parts)), 'zip')).toMatchObject({ problem: 'broken' });
  });

  const rows = { A1: { t: 'n', v: 1 }, A2: { t: 'n', v: 2 }, '!rows': [{ hidden: true }] };

  it.each(['xlsx', 'xlsb'] as const)('of %s has marks before its hidden rows', async (bookType) => {
    const { text } = (await read(bookOf(rows, 0, bookType), 'zip')) as { text: string };
    expect(text).toContain('[sheet "Two"]\n[hidden row] 1\n2');
  });

  /** A workbook before 2007 with records at the beginning of its second sheet, which the library does not write. */
  const withRecords = (cells: object, ...records: Buffer[]) => {
    const stream = CFB.find(CFB.read(bookOf(cells, 0, 'xls'), { type: 'buffer' }), 'Workbook')!.content as Buffer;
    const bytes = Buffer.from(stream);
    const at = bytes.lastIndexOf(Buffer.from('0908', 'hex'));
    const start = at + 4 + bytes.readUInt16LE(at + 2);
    return ole({ Workbook: Buffer.concat([bytes.subarray(0, start), ...records, bytes.subarray(start)]) });
  };

  /** What the second sheet of a workbook before 2007 says. */
  const secondOf = async (bytes: Buffer) =>
    ((await read(bytes, 'ole')) as { text?: string }).text?.split('[sheet "Two"]\n')[1];

  it('of xls has marks before its hidden rows', async () => {
    const row = Buffer.from('080210000000000001002c010000000020010f00', 'hex');
    expect(await secondOf(withRecords(rows, row))).toBe('[hidden row] 1\n2');
  });

  it('of xlsb names its hidden columns', async () => {
    const columns = [{ width: 9 }, { width: 9, hidden: true }, { width: 9, hidden: true }];
    const book = bookOf({ A1: { t: 'n', v: 1 }, '!cols': columns }, 0, 'xlsb');
    const { text } = (await read(book, 'zip')) as { text: string };
    expect(text).toContain('[sheet "Two"]\n[hidden columns: B:C]\n1');
  });

  it('of xls names its hidden columns', async () => {
    const columns = (first: number, last: number, flags: number) =>
      xlsRecord(0x007d, [first, 0, last, 0, 0, 9, 15, 0, flags, 0, 0, 0]);
    const records = [columns(1, 2, 1), columns(3, 3, 0), columns(4, 255, 1)];
    expect(await secondOf(withRecords({ A1: { t: 'n', v: 1 } }, ...records))).toBe('[hidden columns: B:C, E:IV]\n1');
  });

  it('of xls has the values of formulas with the names of rows', async () => {
    const value = Buffer.alloc(8);
    value.writeDoubleLE(42);
    // A reference to a row by its name (PtgElfRwV, [MS-XLS] 2.5.198.55).
    const formula = Buffer.from('18060000' + '0000', 'hex');
    const record = xlsRecord(0x0006, [0, 0, 1, 0, 15, 0], value, [0, 0, 0, 0, 0, 0, formula.length, 0], formula);
    expect(await secondOf(withRecords({ A1: { t: 's', v: 'Sales' } }, record))).toBe('Sales\t42');
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

  it.each([
    ['0.00 %', 0.256, '25.60 %'],
    ['DD.MM.YYYY', 43_990, '08.06.2020'],
    ['[$-421]dd mmmm yyyy', 43_990, '08 Juni 2020'],
    ['[$-411]ggge"年"m"月"d"日"', 45_292, '令和6年1月1日'],
    ['[$-411]ge.m.d', 32_516, 'H1.1.8'],
    ['[$-ja-JP]gg ee', 32_515, '昭 64'],
    ['[$-411]ggge"年"', 1, '明治33年'],
    // In Taiwan, years count from 1912.
    ['[$-404]ggge"年"m"月"', 45_292, '2024年1月'],
    ['[>50000]ge.m;General', 45_292, '45292'],
    ['#,###,##0', 1234, '1,234'],
    ['[$€-407] #,##0.00', 1234.5, '€ 1,234.50'],
    ['_-"Rp"* #,##0_-;-"Rp"* #,##0_-', 15_000, 'Rp15,000'],
    ['0.0,,"M"', 12_300_000, '12.3M'],
    ['# ?/?', 1.5, '1 1/2'],
    ['[h]:mm', 1.25, '30:00'],
    ['"a;b"0', 7, 'a;b7'],
    ['General" kg"', 7.5, '7.5 kg'],
    // Excel shows these without a sign, in a colour.
    ['#,##0;[Red]#,##0', -1234, '-1,234'],
    ['0.00_ ;[Color 3]0.00 ', -1.5, '-1.50'],
    ['#,##0;[Red]#,##0', 1234, '1,234'],
    ['0;[Red](0)', -5, '(5)'],
    ['0;0', -5, '5'],
    ['@" pcs"', 'ten', 'ten pcs'],
    // Excel shows these in the order of the region, in which day and month cannot be told apart.
    ['m/d/yy', 43_990, '2020-06-08'],
    ['m/d/yy h:mm', 43_990.75, '2020-06-08 18:00'],
    ['[$-407]#,##0.00', 1234.5, '1,234.50'],
    ['#,##0.00', 1e22, '1e+22'],
    ['0.00E+00', 1e22, '1.00E+22'],
    // All digits of a whole number, of which Excel shows fifteen.
    ['General', 1234567890123456, '1234567890123456'],
    // No valid format.
    ['[', 1.5, '1.5'],
    [`0"${'x'.repeat(300)}"`, 1.5, '1.5'],
  ])('in the format %s shows %s as %s', async (z, v, shown) => {
    const { text } = (await read(bookOf({ A1: { t: typeof v === 'string' ? 's' : 'n', v, z } }), 'zip')) as {
      text: string;
    };
    expect(text.split('\n').at(-1)).toBe(shown);
  });

  it('counts days from 1904 where it says so', async () => {
    const sheet = {
      '!ref': 'A1:E1',
      A1: { t: 'n', v: 0, z: 'yyyy-mm-dd' },
      B1: { t: 'n', v: 5, z: '0.0' },
      C1: { t: 'n', v: 1.0625, z: '[h]:mm' },
      D1: { t: 'n', v: -0.0625, z: 'h:mm' },
      E1: { t: 'n', v: -1.5, z: '[h]:mm' },
    };
    const book = utils.book_new(sheet, 'One');
    book.Workbook = { WBProps: { date1904: true } };
    const bytes = Buffer.from(write(book, { bookType: 'xlsx', type: 'buffer' }) as Buffer);
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[sheet "One"]\n1904-01-01\t5.0\t25:30\t-1:30\t-36:00' });
  });

  it.each([
    ['VelvetSweatshop', { text: expect.stringContaining('shown') }],
    ['own', { problem: 'encrypted' }],
  ])('with the password %s opens as in Excel', async (password, result) => {
    expect(await read(encrypt(bookOf({}), { password }), 'ole')).toMatchObject(result);
  });

  it('whose password may take any amount of work is protected', async () => {
    const odd = Buffer.from(
      encrypt(bookOf({}), { password: 'VelvetSweatshop' })
        .toString('latin1')
        .replace('spinCount="100000"', 'spinCount="1e5"   '),
      'latin1',
    );
    expect(odd.includes('1e5')).toBe(true);
    expect(await read(odd, 'ole')).toMatchObject({ problem: 'encrypted' });

    const record = (kind: number, ...numbers: number[]) =>
      Buffer.from(new Uint16Array([kind, 2 * numbers.length, ...numbers]).buffer);
    const obfuscated = [record(0x809, 0x600, 5), record(47, 0, 1, 39_434), record(60, ...Array<number>(4_000).fill(7))];
    const long = Buffer.concat([...obfuscated, ...Array<Buffer>(10).fill(obfuscated[2]!), record(10)]);
    expect(await read(ole({ Workbook: long }), 'ole')).toMatchObject({ problem: 'encrypted' });
  });

  it('of xlsb is read as Excel writes it, whose main part has the type of its extension', async () => {
    const parts = unzipSync(bookOf({ A1: { t: 'n', v: 4 } }, 0, 'xlsb'));
    const types = strFromU8(parts['[Content_Types].xml']!).replace(
      /<Override PartName="\/xl\/workbook.bin" ContentType="([^"]*)"\/>/,
      '<Default Extension="bin" ContentType="$1"/>',
    );
    expect(types).toContain('<Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary');
    const bytes = Buffer.from(zipSync({ ...parts, '[Content_Types].xml': strToU8(types) }));
    expect(await read(bytes, 'zip')).toMatchObject({ text: expect.stringContaining('[sheet "Two"]\n4') as string });
  });

  it('of Excel 3, which is no container, is read', async () => {
    const record = (kind: number, ...numbers: number[]) =>
      Buffer.from(new Uint16Array([kind, 2 * numbers.length, ...numbers]).buffer);
    const letters = (text: string) => [...new Uint16Array(Uint8Array.from(Buffer.from(text)).buffer)];
    const records = [record(0x209, 0, 16, 0), record(0x204, 0, 0, 0, 4, ...letters('Pens')), record(10)];
    expect(await read(Buffer.concat(records), 'sheet')).toMatchObject({
      kind: 'Excel workbook',
      text: '[sheet "Sheet1"]\nPens',
    });
  });

  it('in XML, as programs export it, is read', async () => {
    const bytes = Buffer.from(
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">' +
        '<Worksheet ss:Name="Plan"><Table><Row><Cell><Data ss:Type="String">Pen</Data></Cell><Cell><Data ss:Type="Number">42</Data></Cell></Row></Table></Worksheet></Workbook>',
    );
    expect(await read(bytes, 'sheet', 'xls')).toMatchObject({
      kind: 'Excel workbook',
      text: '[sheet "Plan"]\nPen\t42',
    });
  });

  it('has every row of a long sheet', async () => {
    const rows = Array.from({ length: 20_050 }, (_, index) => [index === 20_049 ? 'LASTROW' : (index % 9000) + 1000]);
    const bytes = Buffer.from(write(utils.book_new(utils.aoa_to_sheet(rows), 'S'), { type: 'buffer' }) as Buffer);
    const { text, isCut } = (await read(bytes, 'zip')) as { text: string; isCut: boolean };
    expect([text.endsWith('LASTROW'), isCut]).toEqual([true, false]);
  });
});
