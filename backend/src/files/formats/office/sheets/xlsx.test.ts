import { read, rels, zip } from '../../../../../test/files/made-documents.js';
import { MAX_CHARACTERS } from '../../sections.js';

const SHEETS = '<sheet name="One" r:id="r1"/><sheet name="Two" r:id="r2" state="veryHidden"/>';

/** A workbook of two sheets, in which the first has `rows`. */
const book = (rows: string, parts: Record<string, string> = {}, second = '<row><c><v>2</v></c></row>') => ({
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': rels(['officeDocument', 'book/main.xml']),
  'book/main.xml': `<workbook><sheets>${SHEETS}</sheets></workbook>`,
  'book/_rels/main.xml.rels': rels(
    ['worksheet', 'a.xml'],
    ['worksheet', 'b.xml'],
    ['sharedStrings', 'strings.xml'],
    ['styles', 'styles.xml'],
  ),
  'book/a.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  'book/b.xml': `<x:worksheet><x:sheetData>${second.replace(/<(\/?)/g, '<$1x:')}</x:sheetData></x:worksheet>`,
  ...parts,
});

const readBook = async (...given: Parameters<typeof book>) => {
  const result = await read(zip(book(...given)), 'zip');
  return 'text' in result ? result : { ...result, text: '' };
};

/** What the first sheet says. */
const first = async (...given: Parameters<typeof book>) =>
  (await readBook(...given)).text.split('\n\n')[0]!.replace('[sheet "One"]\n', '');

it('reads the cells of sheets with and without prefixes, and their visibility', async () => {
  expect(await readBook('<row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>')).toMatchObject({
    text: '[sheet "One"]\nTRUE\t#N/A\n\n[sheet "Two", very hidden]\n2',
    isCut: false,
  });
});

it('names hidden columns before the first row', async () => {
  const columns =
    '<cols><col min="5" max="16384" hidden="1"/><col min="1" max="1"/><col min="2" max="2" hidden="1"/>' +
    '<col min="3" max="3" hidden="true"/><col min="4" max="4" hidden="0"/></cols>';
  const parts = {
    'book/a.xml': `<worksheet>${columns}<sheetData><row/><row><c><v>1</v></c></row></sheetData></worksheet>`,
  };
  expect(await first('', parts)).toBe('[hidden columns: B:C, E:XFD]\n1');
});

it('names the first ranges of columns of a hostile sheet', async () => {
  const column = (at: number) => `<col min="${at}" max="${at}" hidden="1"/>`;
  const columns = Array.from({ length: 600 }, (_, index) => column(2 * index + 1) + column(2 * index + 1)).join('');
  const parts = {
    'book/a.xml': `<worksheet><cols>${columns}</cols><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`,
  };
  expect(await first('', parts)).toMatch(/^\[hidden columns: A, C, E(?:, [A-Z]+){247}, and more\]\n1$/);
});

it('reads no more of a row than of a document, however often its cells have the same long text', async () => {
  const text = 'ab '.repeat(MAX_CHARACTERS);
  const { isCut } = (await readBook(`<row>${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`, {
    'book/strings.xml': `<sst><si><t>${text}</t></si></sst>`,
  })) as { isCut?: boolean };
  expect(isCut).toBe(true);
});

it('finds the values of cells among many keys', async () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `<k n="k${index}"/>`).join('');
  const workbook = book('<row><c t="e" vm="1"><v>#VALUE!</v></c></row>');
  const parts = {
    'book/_rels/main.xml.rels': rels(
      ['worksheet', 'a.xml'],
      ['worksheet', 'b.xml'],
      ['sheetMetadata', 'm.xml'],
      ['rdRichValue', 'v.xml'],
      ['rdRichValueStructure', 's.xml'],
    ),
    'book/m.xml':
      '<metadata><metadataTypes><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLRICHVALUE"><bk><rvb i="0"/></bk></futureMetadata>' +
      '<valueMetadata><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>',
    'book/s.xml': `<rvStructures><s t="_linkedentity2"><k n="_DisplayString"/>${keys}</s></rvStructures>`,
    'book/v.xml': `<rvData>${'<rv s="0"><v>Canada</v></rv>'.repeat(100_000)}</rvData>`,
  };
  expect(await read(zip({ ...workbook, ...parts }), 'zip')).toMatchObject({
    text: '[sheet "One"]\nCanada\n\n[sheet "Two", very hidden]\n2',
  });
});

it('shows pictures in cells, kinds of data and newer errors, which are errors to earlier programs', async () => {
  const rich = (index: number) => `<bk><extLst><ext><xlrd:rvb i="${index}"/></ext></extLst></bk>`;
  const cell = (value: number) => `<c t="e" vm="${value}"><v>#VALUE!</v></c>`;
  const workbook = book(`<row>${[1, 2, 3, 4, 5, 6, 7, 9, 0].map(cell).join('')}</row>`);
  const parts = {
    'book/_rels/main.xml.rels': rels(
      ['worksheet', 'a.xml'],
      ['worksheet', 'b.xml'],
      ['sheetMetadata', 'm.xml'],
      ['rdRichValue', 'v.xml'],
      ['rdRichValueStructure', 's.xml'],
    ),
    'book/m.xml':
      '<metadata><metadataTypes><metadataType name="XLDAPR"/><metadataType name="XLRICHVALUE"/></metadataTypes>' +
      `<futureMetadata name="XLDAPR"><bk/></futureMetadata><futureMetadata name="XLRICHVALUE">${[6, 5, 4, 3, 2, 1, 0].map(rich).join('')}</futureMetadata>` +
      '<cellMetadata><bk><rc t="1" v="0"/></bk></cellMetadata>' +
      `<valueMetadata>${[6, 5, 4, 3, 2, 1, 0].map((value) => `<bk><rc t="2" v="${value}"/></bk>`).join('')}</valueMetadata></metadata>`,
    'book/s.xml':
      '<rvStructures><s t="_localImage"><k n="_rvRel:LocalImageIdentifier"/><k n="CalcOrigin"/></s>' +
      '<s t="_webimage"><k n="WebImageIdentifier"/><k n="Text"/></s><s t="_linkedentity2"><k n="%EntityServiceId"/><k n="_DisplayString"/></s>' +
      '<s t="_error"><k n="errorType"/></s><s t="_formattednumber"><k n="_Format"/></s><s t="_array"><k n="array"/></s><s t="_linkedentity"><k n="%cvi"/></s></rvStructures>',
    'book/v.xml':
      '<rvData><rv s="0"><v>0</v><v>5</v></rv><rv s="1"><v>1</v><v>Our logo</v></rv><rv s="2"><v>7</v><v>Canada</v></rv>' +
      '<rv s="3"><v>8</v></rv><rv s="4"><fb>9984670</fb><v>30</v></rv><rv s="5"><v>0</v></rv><rv s="6"><v>2</v></rv></rvData>',
  };
  const { text } = (await read(zip({ ...workbook, ...parts }), 'zip')) as { text: string };
  expect(text.split('\n')[1]).toBe(
    '[picture]\t[picture: Our logo]\tCanada\t#SPILL!\t9984670\t#VALUE!\tCanada\t#VALUE!\t#VALUE!',
  );
});

it('keeps the empty cell before the first row of a table', async () => {
  const cell = (name: string) => `<c r="${name}"><v>1</v></c>`;
  expect(await first(`<row/><row>${cell('B2')}${cell('C2')}</row><row>${cell('A3')}${cell('B3')}</row>`)).toBe(
    '\t1\t1\n1\t1',
  );
});

it('places cells by their names, whatever their order', async () => {
  expect(await first('<row r="3"><c r="D3"><v>4</v></c><c r="B3"><v>2</v></c></row><row><c><v>1</v></c></row>')).toBe(
    '\t2\t\t4\n1',
  );
});

it('reads shared texts without the readings of Japanese words, with escapes and all of their runs', async () => {
  const strings =
    '<sst><si><r><t>東京</t></r><r><t xml:space="preserve"> Tower</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>' +
    '<si><t>a_x000D_\nb</t></si></sst>';
  expect(
    await first('<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>9</v></c></row>', {
      'book/strings.xml': strings,
    }),
  ).toBe('東京 Tower\ta b');
});

it('shows shared formulas without values as they are in each cell', async () => {
  expect(
    await first(
      '<row r="1"><c r="B1"><f t="shared" ref="B1:C2" si="0">SUM(A1,$A$1,Q1!A1)&amp;"A1"</f></c></row>' +
        '<row r="2"><c r="C2"><f t="shared" si="0"/></c></row>',
    ),
  ).toBe('\t=SUM(A1,$A$1,Q1!A1)&"A1"\n\t\t=SUM(B2,$A$1,Q1!B2)&"A1"');
});

it('shows nothing for a formula whose value is an empty text, and the formula where there is no value', async () => {
  expect(
    await first('<row><c t="str"><f>IF(1,"")</f><v></v></c><c><f>_xlfn.X(1)</f><v/></c><c t="str"><v>z</v></c></row>'),
  ).toBe('\t=X(1)\tz');
});

it('shows dates in formats that files name by a number alone, and dates in ISO', async () => {
  const styles =
    '<styleSheet><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="31"/><xf numFmtId="170"/></cellXfs>' +
    '<dxfs><dxf><numFmt numFmtId="170" formatCode="0"/></dxf></dxfs></styleSheet>';
  const own = styles.replace(
    '<cellStyleXfs>',
    '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\/mm"/></numFmts><cellStyleXfs>',
  );
  expect(
    await first(
      '<row><c s="1"><v>43990</v></c><c s="2"><v>43990</v></c><c s="2" t="d"><v>2020-06-08T10:00:00</v></c><c t="d"><v>2020-06-08</v></c></row>',
      { 'book/styles.xml': own },
    ),
  ).toBe('2020-06-08\t2020/06\t2020/06\t2020-06-08');
});

it('has threads of comments in place of the notes that stand for them', async () => {
  const { text } = await readBook('<row><c><v>1</v></c></row>', {
    'book/_rels/a.xml.rels': rels(['comments', 'c.xml'], ['threadedComment', 't.xml']),
    'book/c.xml':
      '<comments><authors><author>Ani</author><author>tc={1}</author></authors><commentList><comment ref="A1"><text><t>[Threaded comment]</t></text></comment>' +
      '<comment ref="B2" authorId="0"><text><r><t>a </t></r><r><t>note</t></r></text></comment>' +
      '<comment ref="C3" authorId="0"><text><t>Ani:\nhers</t></text></comment><comment ref="D4" authorId="0"><text><t>Anita asks</t></text></comment>' +
      '<comment ref="E5" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>',
    'book/t.xml':
      '<ThreadedComments><threadedComment ref="A1"><text>why?</text></threadedComment>' +
      '<threadedComment ref="A1"><text>because</text></threadedComment></ThreadedComments>',
  });
  expect(text).toContain(
    '1\n\nComments:\nB2: Ani: a note\nC3: Ani: hers\nD4: Ani: Anita asks\nE5: [Threaded comment]\nA1: why?\nA1: because\n\n[sheet "Two"',
  );
});

it('keeps the rows before the place where a sheet is broken, and the sheets after it', async () => {
  const broken = { 'book/a.xml': '<worksheet><sheetData><row><c><v>1</v></c></row><row><c><v>2</v></x></row>' };
  expect(await readBook('', broken)).toMatchObject({
    text: '[sheet "One"]\n1\n2\n\n[sheet "Two", very hidden]\n2',
    isDamaged: true,
  });
  expect(await readBook('', { 'book/a.xml': '<a><b></a>' }, '')).toMatchObject({ problem: 'broken' });
});

it('reads sheets without relationships by their usual names', async () => {
  const parts = book('');
  const { text } = (await read(
    zip({
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml': parts['book/main.xml'],
      'xl/worksheets/sheet2.xml': parts['book/b.xml'],
    }),
    'zip',
  )) as { text: string };
  expect(text).toBe('[sheet "Two", very hidden]\n2');
});

it('cuts at the characters that are stored, and says so', async () => {
  const row = `<row><c t="inlineStr"><is><t>${'word '.repeat(200)}</t></is></c></row>`;
  const { text, isCut } = (await readBook(row.repeat(1_200))) as { text: string; isCut: boolean };
  expect([text.length > MAX_CHARACTERS * 0.9, text.includes('"Two"'), isCut]).toEqual([true, false, true]);
});

it('marks rows that are hidden', async () => {
  const rows = '<row hidden="1"><c r="B1"><v>1</v></c></row><row hidden="0"><c><v>2</v></c></row><row hidden="true"/>';
  expect(await first(rows)).toBe('[hidden row] \t1\n2');
});

it('does not work out a shared formula for cells that have a value', async () => {
  const formula = 'A1+'.repeat(100_000);
  const others = '<c><f t="shared" si="0"/><v>1</v></c>'.repeat(10_000);
  const cells = `<c r="A1"><f t="shared" si="0">${formula}A1</f><v>1</v></c>${others}`;
  expect(await first(`<row r="1">${cells}</row>`)).toBe(Array(10_001).fill('1').join('\t'));
});

it('reads a value of blanks as none', async () => {
  expect(await first('<row><c><v> </v></c><c><v>5</v></c></row>')).toBe('\t5');
});

it('shows cells and letters with a line through them', async () => {
  const styles =
    '<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>' +
    '<cellXfs><xf fontId="0"/><xf fontId="1" numFmtId="4"/><xf fontId="2"/></cellXfs></styleSheet>';
  const strings = '<sst><si><r><rPr><strike/></rPr><t>100</t></r><r><t xml:space="preserve"> 80</t></r></si></sst>';
  const rows =
    '<row><c s="0"><v>1</v></c><c s="1"><v>2000</v></c><c s="2"><v>3</v></c><c t="s"><v>0</v></c><c s="1"/></row>';
  expect(await first(rows, { 'book/styles.xml': styles, 'book/strings.xml': strings })).toBe(
    '1\t~~2,000.00~~\t3\t~~100~~ 80',
  );
});
