import { utils, write } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { crc32 } from 'node:zlib';
import { MAX_CHARACTERS } from './sections.js';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { readDocument } from './read-document.js';

const zip = (entries: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))));

const word = (body: string, prologue = '') =>
  zip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?>${prologue}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  });

const run = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** @param annotations each as its entries and its look, as objects from 10 */
const pdf = (content: string, annotations: [entries: string, look: string][] = []) =>
  Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/Annots[${annotations.map((_, index) => `${10 + 2 * index} 0 R`).join(' ')}]>>endobj`,
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      ...annotations.flatMap(([entries, look], index) => [
        `${10 + 2 * index} 0 obj<</Type/Annot/F 4/Rect[20 ${20 + 40 * index} 220 ${50 + 40 * index}]${entries}/AP<</N ${11 + 2 * index} 0 R>>>>endobj`,
        `${11 + 2 * index} 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 200 30]/Resources<</Font<</F1 5 0 R>>>>/Length ${look.length}>>stream\n${look}\nendstream endobj`,
      ]),
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
  );

/** What a reader gives, with the sections as prompts show them. */
const read = async (bytes: Buffer, format: DocumentFormat) => {
  const result = await readDocument(bytes, format);
  if ('problem' in result) return result;
  const text = result.sections
    .map((section) => (section.label ? `[${section.label}]\n` : '') + section.text)
    .join('\n\n');
  return { ...result, text };
};

const sheetFile = (bookType: 'xlsx' | 'xls') => {
  const sheet = utils.aoa_to_sheet(
    [['Name', 'When'], ['Ani', new Date(Date.UTC(2026, 10, 20))], [], ['far', null, null, 3]],
    { UTC: true },
  );
  const book = utils.book_new(sheet, 'Budget');
  return Buffer.from(write(book, { bookType, type: 'buffer', compression: true }) as Buffer);
};

/** One record of a PowerPoint file of the format before 2007. */
const record = (type: number, body: Buffer, version = 0) => {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(version, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
};

const rarBlock = (type: number, flags: number, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.writeUInt8(type, 0);
  head.writeUInt16LE(flags, 1);
  head.writeUInt16LE(7 + body.length, 3);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc32(Buffer.concat([head, body])) & 0xffff);
  return Buffer.concat([crc, head, body]);
};

const rar = (name: string) => {
  const fields = Buffer.alloc(25);
  fields.writeUInt8(3, 8);
  fields.writeUInt8(20, 17);
  fields.writeUInt8(0x30, 18);
  fields.writeUInt16LE(name.length, 19);
  fields.writeUInt32LE(0x20, 21);
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x00', 'latin1'),
    rarBlock(0x73, 0, Buffer.alloc(6)),
    rarBlock(0x74, 0x8000, Buffer.concat([fields, Buffer.from(name)])),
    rarBlock(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
};

describe('readDocument', () => {
  it('reads the lines of a pdf', async () => {
    const bytes = pdf('BT /F1 24 Tf 50 200 Td (Hello World) Tj 0 -30 Td (Second line) Tj ET');
    expect(await read(bytes, 'pdf')).toMatchObject({
      text: '[page 1]\nHello World\nSecond line',
      isCut: false,
      pages: 1,
      textless: [],
    });
  });

  it('reads the fields, buttons, signatures and notes of a pdf as they are shown', async () => {
    const look = (text: string) => `BT /F1 12 Tf 5 10 Td (${text}) Tj ET`;
    const bytes = pdf(look('Total'), [
      ['/Subtype/Widget/FT/Tx/T(price)/V(1234)', look('1,234.00')],
      ['/Subtype/Widget/FT/Btn/Ff 65536/T(send)', look('Send now')],
      ['/Subtype/Widget/FT/Sig/T(sign)', look('Signed by Ani')],
      ['/Subtype/FreeText/Contents(A remark)', look('A remark')],
    ]);
    expect(await read(bytes, 'pdf')).toMatchObject({
      text: '[page 1]\nTotal\nprice: 1,234.00\n[button: Send now]\n[signature: Signed by Ani]\n[note: A remark]',
    });
  });

  it.each([
    ['UTF-8 in the map of its font', 'Приветик', (letter: string) => Buffer.from(letter).toString('hex')],
    ['Korean', '서울시민음악회', (letter: string) => letter.charCodeAt(0).toString(16)],
  ])('reads a pdf with %s', async (_, text, codeOf) => {
    const entries = Array.from(text, (letter, index) => `<${(0x41 + index).toString(16)}> <${codeOf(letter)}>`);
    const map =
      '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
      `${entries.length} beginbfchar ${entries.join(' ')} endbfchar endcmap end`;
    const bytes = pdf(`BT /F1 24 Tf 20 200 Td (${'ABCDEFGH'.slice(0, text.length)}) Tj ET`)
      .toString('latin1')
      .replace('/BaseFont/Helvetica', '/BaseFont/Helvetica/ToUnicode 90 0 R')
      .replace('trailer', `90 0 obj<</Length ${map.length}>>stream\n${map}\nendstream endobj\ntrailer`);
    expect(await read(Buffer.from(bytes, 'latin1'), 'pdf')).toMatchObject({ text: `[page 1]\n${text}` });
  });

  it('reports that a pdf of images has no text', async () => {
    expect(await read(pdf(''), 'pdf')).toMatchObject({ problem: 'empty' });
  });

  const IMAGE =
    '/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>stream\nx\nendstream endobj';
  const strip = (at: number) => `q 300 0 0 100 0 ${at} cm /I Do Q `;

  it.each([
    ['one picture', 'q 300 0 0 300 0 0 cm /I Do Q', true],
    ['strips of a picture', strip(0) + strip(100) + strip(200), true],
    ['a form with a picture', '/X Do', true],
    ['a small picture', strip(0), false],
  ])('sends a page with a number on %s as a picture: %s', async (_, drawn, isPicture) => {
    const bytes = pdf(`${drawn} BT /F1 9 Tf 150 10 Td (17) Tj ET`)
      .toString('latin1')
      .replace('/Font<<', '/XObject<</I 90 0 R/X 91 0 R>>/Font<<')
      .replace(
        'trailer',
        `90 0 obj<</Type/XObject${IMAGE}
91 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</XObject<</I 90 0 R>>>>/Length 28>>stream
q 300 0 0 300 0 0 cm /I Do Q
endstream endobj
trailer`,
      );
    expect(await read(Buffer.from(bytes, 'latin1'), 'pdf')).toMatchObject({
      text: '[page 1]\n17',
      textless: isPicture ? [1] : [],
    });
  });

  it('reads the files inside of a pdf, and the values of a form in XML', async () => {
    const form = '<xdp><template><t>label</t></template><datasets><data><name>Ani</name></data></datasets></xdp>';
    const bytes = pdf('BT /F1 24 Tf 50 200 Td (Please wait) Tj ET')
      .toString('latin1')
      .replace('/AcroForm<<', '/Names<</EmbeddedFiles<</Names[(a) 80 0 R]>>>>/AcroForm<</XFA 82 0 R')
      .replace(
        'trailer',
        `80 0 obj<</Type/Filespec/F(price.csv)/UF(price.csv)/EF<</F 81 0 R>>>>endobj
81 0 obj<</Type/EmbeddedFile/Length 6>>stream
Pen,42
endstream endobj
82 0 obj<</Length ${form.length}>>stream
${form}
endstream endobj
trailer`,
      );
    expect(await read(Buffer.from(bytes, 'latin1'), 'pdf')).toMatchObject({
      text: '[page 1]\nPlease wait\n\n[form data]\nname: Ani\n\n[embedded text file "price.csv"]\nPen,42',
    });
  });

  it('reads paragraphs and tables of a docx, without fields, deleted text and fallbacks (UP-6)', async () => {
    const bytes = word(
      run('One &amp; two') +
        '<w:tbl><w:tr><w:tc><w:p><w:t>a</w:t></w:p></w:tc><w:tc><w:p><w:t>b</w:t></w:p></w:tc></w:tr></w:tbl>' +
        '<w:p><w:instrText>HYPERLINK "javascript:alert(1)"</w:instrText><w:delText>gone</w:delText></w:p>' +
        '<w:p><mc:AlternateContent><mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:p>',
    );
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'One & two\na \tb \t\nonce', isCut: false });
  });

  it('refuses document type declarations, so that no entity is expanded (UP-6)', async () => {
    const bytes = word(run('&x;'), '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>');
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'hostile' });
  });

  it('ignores external and embedded parts of a docx (UP-6)', async () => {
    const bytes = zip({
      '[Content_Types].xml': '<Types/>',
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="r1" Target="http://127.0.0.1:9/canary" TargetMode="External"/></Relationships>',
      'word/afchunk.html': '<script>alert(1)</script>',
      'word/document.xml': `<w:document xmlns:w="w"><w:body><w:altChunk r:id="r1"/>${run('Only this')}</w:body></w:document>`,
    });
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'Only this', isCut: false });
  });

  it('reads cell values and ignores formulas and links (UP-6)', async () => {
    const sheet = utils.aoa_to_sheet([['x']]);
    Object.assign(sheet, {
      A1: { t: 's', v: 'shown', f: 'WEBSERVICE("http://127.0.0.1:9/canary")' },
      A2: { t: 's', v: '=cmd|"/C calc"!A0' },
      A3: { t: 's', v: 'link', l: { Target: 'javascript:alert(1)' } },
      '!ref': 'A1:A3',
    });
    const bytes = Buffer.from(write(utils.book_new(sheet, 'Budget'), { bookType: 'xlsx', type: 'buffer' }) as Buffer);
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[sheet "Budget"]\nshown\n=cmd|"/C calc"!A0\nlink' });
  });

  it('ignores scripts and actions of a pdf (UP-6)', async () => {
    const bytes = pdf('BT /F1 24 Tf 50 200 Td (Only this) Tj ET')
      .toString('latin1')
      .replace(
        '/Type/Catalog',
        '/Type/Catalog/OpenAction<</S/JavaScript/JS(app.launchURL\\("http://127.0.0.1:9/canary"\\))>>/AA<</O<</S/URI/URI(http://127.0.0.1:9/canary)>>>>',
      );
    expect(await read(Buffer.from(bytes, 'latin1'), 'pdf')).toMatchObject({
      text: '[page 1]\nOnly this',
      isCut: false,
    });
  });

  it('reads the stored cells of a sheet, not its declared range (UP-8)', async () => {
    const book = utils.book_new(utils.aoa_to_sheet([['here']]), 'Wide');
    const parts = unzipSync(Buffer.from(write(book, { bookType: 'xlsx', type: 'buffer' }) as Buffer));
    const sheet = 'xl/worksheets/sheet1.xml';
    const claiming = strFromU8(parts[sheet]!).replace('<dimension ref="A1"/>', '<dimension ref="A1:XFD1048576"/>');
    expect(claiming).toContain('XFD1048576');
    const bytes = Buffer.from(zipSync({ ...parts, [sheet]: strToU8(claiming) }));
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[sheet "Wide"]\nhere' });
  });

  it('rejects a pdf with a cyclic page tree (UP-8)', async () => {
    const depth = 20_000;
    const nodes = Array.from(
      { length: depth },
      (_, index) =>
        `${index + 2} 0 obj<</Type/Pages/Kids[${index + 3 > depth + 1 ? 2 : index + 3} 0 R]/Count 1>>endobj`,
    );
    const bytes = Buffer.from(
      ['%PDF-1.4', '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj', ...nodes, 'trailer<</Root 1 0 R>>', '%%EOF'].join(
        '\n',
      ),
    );
    expect(await read(bytes, 'pdf')).toHaveProperty('problem');
  });

  it('refuses an archive whose declared size exceeds the limit (UP-8)', async () => {
    const bytes = word(run('x'));
    const central = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(0xf0000000, central + 24);
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'hostile' });
  });

  it('inflates an entry up to its declared size (UP-8)', async () => {
    const bytes = word(run('x'.repeat(100_000)));
    const central = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(200, central + 24);
    const result = await read(bytes, 'zip');
    expect('text' in result ? result.text.length : 0).toBeLessThan(200);
  });

  it('refuses an archive of 10,001 entries (UP-8)', async () => {
    const entries = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}.xml`, '']));
    const bytes = zip({ '[Content_Types].xml': '<Types/>', ...entries });
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'hostile' });
  });

  it('cuts a long text and reports it', async () => {
    const result = await read(word(run('word '.repeat(MAX_CHARACTERS))), 'zip');
    expect(result).toMatchObject({ isCut: true });
    expect('text' in result && result.text.length).toBe(MAX_CHARACTERS);
  });

  it.each(['xlsx', 'xls'] as const)('reads the formatted cells of an %s', async (bookType) => {
    const result = await read(sheetFile(bookType), bookType === 'xls' ? 'ole' : 'zip');
    expect(result).toMatchObject({
      text: expect.stringMatching(/^\[sheet "Budget"\]\nName\tWhen\nAni\t\S+\nfar\t\t\t3$/),
    });
  });

  it('reads the text records of an old presentation', async () => {
    const { CFB } = await import('@e965/xlsx');
    const container = CFB.utils.cfb_new();
    const inner = [record(0x0fa0, Buffer.from('Judul\r', 'utf16le')), record(0x0fa8, Buffer.from('point'))];
    CFB.utils.cfb_add(container, 'PowerPoint Document', record(0x03e8, Buffer.concat(inner), 0x0f));
    const bytes = Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer);
    expect(await read(bytes, 'ole')).toMatchObject({ text: 'Judul\n\npoint' });
  });

  it('reads the text of a presentation of PowerPoint 95, and names one of PowerPoint 4', async () => {
    const { CFB } = await import('@e965/xlsx');
    const file = (streams: Record<string, Buffer>) => {
      const container = CFB.utils.cfb_new();
      for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, name, content);
      return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer);
    };
    const bytes = file({
      'PowerPoint Document': Buffer.alloc(64, 3),
      Text_Content: Buffer.from('Caf\xe9 plan\rpoint', 'latin1'),
    });
    expect(await read(bytes, 'ole')).toMatchObject({ kind: 'PowerPoint presentation', text: 'Café plan\npoint' });
    expect(await read(file({ PP40: Buffer.alloc(64) }), 'ole')).toMatchObject({
      problem: 'unknown',
      kind: 'PowerPoint 4 presentation',
    });
  });

  it('lists the names in a zip without unpacking it (UP-8)', async () => {
    expect(await read(zip({ 'a/b.txt': 'x', 'c.txt': 'y' }), 'zip')).toMatchObject({ text: 'a/b.txt\nc.txt' });
  });

  it('lists the names in a rar', async () => {
    expect(await read(rar('notes.txt'), 'rar')).toMatchObject({ text: 'notes.txt' });
  });

  it.each(['pdf', 'zip', 'ole', 'rar', 'rtf'] as const)('reports a broken %s', async (format) => {
    const result = await read(Buffer.from('no document at all'), format);
    expect(result).toHaveProperty('problem');
  });
});

describe('quotes, dashes and the euro of Windows-1252', () => {
  const text = Buffer.from('\x93It\x92s Caf\xe9\x94 \x96 \x80 5, d\xe9j\xe0 vu', 'latin1');
  const after = (head: string) => Buffer.concat([Buffer.from(head), text]);

  it.each([
    ['a text', 'text', text],
    ['a web page', 'html', after('<html><head><meta charset="iso-8859-1"></head><body>')],
    ['a mail', 'mail', after('From: a@b.c\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n')],
    ['RTF', 'rtf', Buffer.concat([after('{\\rtf1\\ansi\\ansicpg1252 '), Buffer.from('}')])],
  ] as const)('are those of %s', async (_, format, bytes) => {
    const result = await readDocument(bytes, format);
    expect('sections' in result && result.sections[0]!.text).toContain(
      '\u201cIt\u2019s Café\u201d \u2013 € 5, déjà vu',
    );
  });
});
