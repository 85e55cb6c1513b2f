import { deflateSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { p, presentation, read, rels, word, zip } from '../../../test/files/made-documents.js';
import { readDocument } from './read-document.js';
import { type ExtractionResult, MAX_CHARACTERS, MAX_SECTIONS } from './sections.js';

const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

const workbook = (rows: string, prologue = '') =>
  zip({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/main.xml" ContentType="${EXCEL}.sheet.main+xml"/><Override PartName="/xl/s.xml" ContentType="${EXCEL}.worksheet+xml"/></Types>`,
    '_rels/.rels': rels(['officeDocument', 'xl/main.xml']),
    'xl/main.xml': `<workbook ${MAIN} xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/main.xml.rels': rels(['worksheet', 's.xml']),
    'xl/s.xml': `${prologue}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
  });

const open = (kind: string, content: string, prologue = '') =>
  zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${prologue}<o:body>${content}</o:body>`,
  });

const stream = (number: number, entries: string, content: string | Buffer) =>
  `${number} 0 obj<<${entries}/Length ${content.length}>>stream\n${content.toString('latin1')}\nendstream endobj\n`;

const HELLO = 'BT /F1 24 Tf 50 200 Td (Hello) Tj ET';

const page = (number: number, content: number, resources: string) =>
  `${number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents ${content} 0 R/Resources<<${resources}>>>>endobj\n`;

/** A PDF whose first page says Hello, and whose second one has the resources and content. */
const pdf = (resources: string, content: string, ...objects: string[]) =>
  Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>endobj\n' +
      page(3, 4, '/Font<</F1 5 0 R>>') +
      stream(4, '', HELLO) +
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n' +
      page(6, 7, resources) +
      stream(7, '', content) +
      `${objects.join('')}trailer<</Root 1 0 R>>\n%%EOF`,
    'latin1',
  );

const ENTITY = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>';

describe('entities of a document are never expanded: it is refused', () => {
  it.each([
    [
      'DOCX',
      zip({
        '_rels/.rels': rels(['officeDocument', 'm.xml']),
        '[Content_Types].xml': '<Types/>',
        'm.xml': `${ENTITY}<w:document>&b;</w:document>`,
      }),
    ],
    ['XLSX', workbook('<row r="1"><c t="inlineStr"><is><t>&b;</t></is></c></row>', ENTITY)],
    ['PPTX', presentation(`${ENTITY}<p:sld>&b;</p:sld>`)],
    ['ODT', open('text', '<text:p>&b;</text:p>', ENTITY)],
    ['EPUB', zip({ 'META-INF/container.xml': `${ENTITY}<container><rootfile full-path="&b;"/></container>` })],
  ] as const)('%s', async (_, bytes) => {
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'hostile' });
  });
});

describe('elements inside one another without end are refused', () => {
  const depth = 100_000;

  it.each([
    ['DOCX', word(p('before') + '<w:sdt>'.repeat(depth)), 'zip'],
    ['tables in DOCX', word(p('before') + '<w:tbl><w:tr><w:tc>'.repeat(depth)), 'zip'],
    ['ODT', open('text', '<text:section>'.repeat(depth)), 'zip'],
    ['RTF', Buffer.from(`{\\rtf1 before ${'{'.repeat(depth)}`), 'rtf'],
  ] as const)('%s', async (_, bytes, format) => {
    expect(await read(bytes, format)).toMatchObject({ problem: 'hostile' });
  });

  it('parts of a mail are reported', async () => {
    const parts = Array.from(
      { length: 2_000 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    );
    expect(await read(Buffer.from(`From: a@b.c\r\n${parts.join('')}`), 'mail')).toMatchObject({ problem: 'broken' });
  });
});

describe('relationships in a circle are followed once', () => {
  it('in DOCX', async () => {
    const bytes = word(`${p('text')}<w:altChunk r:id="r1"/>`, {
      'doc/_rels/main.xml.rels': rels(['aFChunk', 'main.xml'], ['footnotes', 'main.xml'], ['header', 'main.xml']),
    });
    expect((await read(bytes, 'zip')) as { text: string }).toMatchObject({
      text: expect.stringMatching(/^text/) as string,
    });
  });

  it('in PPTX', async () => {
    const bytes = presentation('<p:sld><a:p><a:t>text</a:t></a:p></p:sld>', [
      ['slideLayout', 's.xml'],
      ['slideMaster', 'main.xml'],
      ['notesSlide', 's.xml'],
      ['chart', 's.xml'],
    ]);
    const { text } = (await read(bytes, 'zip')) as { text: string };
    expect(text.match(/text/g)!.length).toBeLessThan(10);
  });
});

describe('what a document repeats is bounded', () => {
  const length = (result: ExtractionResult) =>
    'problem' in result ? 0 : result.sections.reduce((sum, { text }) => sum + text.length, 0);

  it('rows and columns of ODS', async () => {
    const cells = '<table:table-cell table:number-columns-repeated="16384"><text:p>xx</text:p></table:table-cell>';
    const table = `<table:table table:name="S"><table:table-row table:number-rows-repeated="1048576">${cells}</table:table-row></table:table>`;
    const result = await readDocument(open('spreadsheet', table), 'zip');
    expect(length(result)).toBeGreaterThan(0);
    expect(length(result)).toBeLessThanOrEqual(MAX_CHARACTERS);
  });

  it('spaces of ODT', async () => {
    expect(
      length(await readDocument(open('text', '<text:p>a<text:s text:c="999999999"/>b</text:p>'), 'zip')),
    ).toBeLessThan(1_000);
  });

  it('slides of PPTX, with a notice', async () => {
    const bytes = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'main.xml']),
      'main.xml': `<p:presentation>${'<p:sldId r:id="r1"/>'.repeat(MAX_SECTIONS + 100)}</p:presentation>`,
      '_rels/main.xml.rels': rels(['slide', 's.xml']),
      's.xml': '<p:sld><a:p><a:t>slide</a:t></a:p></p:sld>',
    });
    const result = await readDocument(bytes, 'zip');
    expect(result).toMatchObject({ isCut: true });
    expect('sections' in result && result.sections.length).toBe(MAX_SECTIONS);
  });

  it('cells beyond the last column and row of a sheet', async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="ZZZZZZZ1"><v>2</v></c></row><row r="99999999999"><c><v>3</v></c></row>';
    expect(length(await readDocument(workbook(rows), 'zip'))).toBeLessThan(1_000);
  });

  it('rows of a long sheet, with a notice', async () => {
    const rows = Array.from(
      { length: 150_000 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>1234567</v></c></row>`,
    );
    const result = await readDocument(workbook(rows.join('')), 'zip');
    expect(result).toMatchObject({ isCut: true });
    expect(length(result)).toBeGreaterThan(MAX_CHARACTERS - 100);
  });

  it('pages of PDF that are one page many times', async () => {
    const bytes = pdf('', '')
      .toString('latin1')
      .replace('/Kids[3 0 R 6 0 R]/Count 2', `/Kids[${'3 0 R '.repeat(10_000)}]/Count 10000`);
    const result = await readDocument(Buffer.from(bytes, 'latin1'), 'pdf');
    expect('sections' in result && result.sections.length).toBe(MAX_SECTIONS);
  });
});

describe('a hostile page of a PDF leaves the others', () => {
  // PDFium writes the stack of an overflow.
  beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));

  afterEach(() => jest.restoreAllMocks());

  const font = (entries: string) =>
    `10 0 obj<</Type/Font/BaseFont/X/FirstChar 97/LastChar 97/Widths[500]${entries}>>endobj\n`;
  const show = 'BT /F 20 Tf 20 20 Td (aaa) Tj ET';

  it.each([
    [
      'a picture of 50,000 × 50,000 pixels',
      pdf(
        '/XObject<</I 10 0 R>>',
        'q 300 0 0 300 0 0 cm /I Do Q',
        stream(
          10,
          '/Subtype/Image/Width 50000/Height 50000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode',
          deflateSync(Buffer.alloc(1_000_000)),
        ),
      ),
    ],
    [
      'a broken font',
      pdf(
        '/Font<</F 10 0 R>>',
        show,
        font('/Subtype/TrueType/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 11 0 R>>'),
        stream(
          11,
          '/Length1 9999',
          Buffer.concat([Buffer.from('00010000ffff0000000000', 'hex'), Buffer.alloc(9_000, 0x7f)]),
        ),
      ),
    ],
    [
      'a font that draws itself',
      pdf(
        '/Font<</F 10 0 R>>',
        show,
        font(
          '/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/Encoding<</Differences[97/a]>>/CharProcs<</a 11 0 R>>/Resources<</Font<</F 10 0 R>>>>',
        ),
        stream(11, '', '9 0 d0 BT /F 1 Tf (aaaaaaaaaa) Tj ET'),
      ),
    ],
    [
      'a form that draws itself',
      pdf(
        '/XObject<</X 10 0 R>>',
        '/X Do',
        stream(10, '/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 10 0 R>>>>', '/X Do /X Do'),
      ),
    ],
  ])('%s', async (_, bytes) => {
    expect(await read(bytes, 'pdf')).toMatchObject({
      pages: 2,
      text: expect.stringContaining('[page 1]\nHello') as string,
    });
  });

  it('the pages before it are kept, should it exhaust the reader', async () => {
    const kept: ExtractionResult[] = [];
    await readDocument(pdf('/Font<</F1 5 0 R>>', HELLO), 'pdf', 'pdf', async (soFar) => {
      kept.push(structuredClone(soFar));
    });
    expect(kept).toEqual([
      expect.objectContaining({ sections: [{ kind: 'page', label: 'page 1', text: 'Hello' }], pages: 2, pagesLeft: 1 }),
    ]);
  });
});
