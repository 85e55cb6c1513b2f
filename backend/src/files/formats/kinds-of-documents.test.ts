import { readFileSync } from 'node:fs';
import * as xlsx from '@e965/xlsx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { readDocument } from './read-document.js';

const { utils, write } = xlsx;

/** The library's OLE containers, which its types omit. */
const CFB = xlsx.CFB as {
  read(bytes: Buffer, options: { type: 'buffer' }): object;
  write(container: object, options: { type: 'buffer' }): unknown;
  find(container: object, path: string): { content: unknown } | null;
  utils: { cfb_new(): object; cfb_add(container: object, path: string, content: Buffer): void };
};

const inputs = new URL('../../../test/files/inputs/', import.meta.url);

const zip = (entries: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))));

const read = async (bytes: Buffer, format: DocumentFormat, extension = '') => {
  const result = await readDocument(bytes, format, extension);
  if ('problem' in result) return result;
  const text = result.sections
    .map((section) => (section.label ? `[${section.label}]\n` : '') + section.text)
    .join('\n\n');
  return { ...result, text };
};

const readInput = (path: string, format: DocumentFormat) =>
  read(readFileSync(new URL(path, inputs)), format, path.split('.').at(-1));

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const rels = (...targets: [type: string, target: string][]) =>
  `<Relationships>${targets
    .map(([type, target], index) => `<Relationship Id="r${index + 1}" Type="${REL}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const word = (body: string, parts: Record<string, string> = {}, targets: [string, string][] = []) =>
  zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels(['officeDocument', '/doc/main.xml']),
    'doc/main.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'doc/_rels/main.xml.rels': rels(...targets),
    ...parts,
  });

const p = (text: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('the inputs of files that were read wrong', () => {
  it.each([
    ['B2/ja.pdf', 'pdf', ['日本語', 'Total 42']],
    ['B2/zh.pdf', 'pdf', ['中文测试', 'Total 42']],
    ['B2/ko.pdf', 'pdf', ['한글', 'Total 42']],
    ['B2/vertical.pdf', 'pdf', ['日本語', 'Total 42']],
    ['B3/online.docx', 'zip', ['online text']],
    ['B3/notes-elsewhere.docx', 'zip', ['body', 'foot 9']],
    ['B3/workbook2.xlsx', 'zip', ['Pen']],
    ['B4/order.pptx', 'zip', ['[slide 1]\nBETA', '[slide 2]\nALPHA\nNotes:\nNOTE-OF-ALPHA']],
    ['B4/notes3.pptx', 'zip', ['[slide 3]\nTHREE\nNotes:\nNOTE-OF-THREE']],
    ['B5/formula.xlsx', 'zip', ['=SUM(A1:A2)\tTotal']],
    ['B5/formula-empty.xlsx', 'zip', ['2\t=A1*21\n3\t=A2*2\n4\t=A3*2']],
    ['B6/sjis.csv', 'text', ['田中']],
    ['B6/gbk.csv', 'text', ['姓名']],
    ['B6/1251.csv', 'text', ['Имя']],
    ['B6/big5.csv', 'text', ['王小明']],
    ['B6/euckr.csv', 'text', ['김철수']],
    ['B6/1252.csv', 'text', ['café']],
    ['S3/form.pdf', 'pdf', ['Jane 1987', 'Peru', '[x] agree']],
    ['S3/freetext.pdf', 'pdf', ['typed on top 55']],
    ['S9/before.pdf', 'pdf', ['Body text 9']],
    ['S9/newline.pdf', 'pdf', ['Body text 9']],
    ['S9/report.xls', 'html', ['Pen', '42']],
  ] as const)('%s', async (path, format, texts) => {
    const { text } = (await readInput(path, format)) as { text: string };
    for (const expected of texts) expect(text).toContain(expected);
  });

  it('B3/pieces.docx has a hyphen, and moved text once', async () => {
    expect(await readInput('B3/pieces.docx', 'zip')).toMatchObject({ text: 'e-mail\nmoved once' });
  });

  it('B4/order.pptx leaves out a slide that is not shown', async () => {
    expect(((await readInput('B4/order.pptx', 'zip')) as { text: string }).text).not.toContain('ORPHAN');
  });

  it('B1/encrypted.bin is protected, whatever its name', async () => {
    expect(await readInput('B1/encrypted.bin', 'ole')).toEqual({ problem: 'encrypted' });
  });
});

describe('a Word document', () => {
  it('has its headings as sections, with the numbers of lists', async () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>' +
      '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>';
    const styles = '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>';
    const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>';
    const bytes = word(
      p('before') + p('Costs', '<w:pStyle w:val="H1"/>') + p('first', item) + p('second', item),
      { 'doc/n.xml': numbering, 'doc/s.xml': styles },
      [
        ['numbering', 'n.xml'],
        ['styles', 's.xml'],
      ],
    );
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'before\n\n[Costs]\n1. first\n2. second' });
  });

  it('has comments, headers, footers, text boxes, charts and form fields', async () => {
    const chart =
      '<c:chartSpace><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx="0"><c:v>May</c:v></c:pt></c:cat>' +
      '<c:val><c:pt idx="0"><c:v>12</c:v></c:pt></c:val></c:ser></c:chartSpace>';
    const bytes = word(
      '<w:p><w:r><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></w:r></w:p>' +
        '<w:p><w:r><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:r><w:r><w:t>agreed</w:t></w:r></w:p>' +
        '<w:p><w:r><w:drawing><c:chart r:id="r4"/></w:drawing></w:r></w:p>',
      {
        'doc/c.xml': `<w:comments><w:comment w:author="Ani">${p('why?')}</w:comment></w:comments>`,
        'doc/h.xml': `<w:hdr>${p('Secret plan')}</w:hdr>`,
        'doc/f.xml': `<w:ftr>${p('Page')}</w:ftr>`,
        'doc/chart.xml': chart,
      },
      [
        ['comments', 'c.xml'],
        ['header', 'h.xml'],
        ['footer', 'f.xml'],
        ['chart', 'chart.xml'],
      ],
    );
    const { text } = (await read(bytes, 'zip')) as { text: string };
    expect(text).toContain('in a box\n[x]agreed');
    expect(text).toContain('Sales\nMay\t12');
    expect(text).toContain('[comments]\nAni: why?');
    expect(text).toContain('[headers]\nSecret plan');
    expect(text).toContain('[footers]\nPage');
  });

  it('has a heading with a text box in it as a section', async () => {
    const styles = '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>';
    const heading =
      '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></w:r>' +
      '<w:r><w:t>Costs</w:t></w:r></w:p>';
    const bytes = word(heading + p('rent'), { 'doc/s.xml': styles }, [['styles', 's.xml']]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'in a box\n\n[Costs]\nrent' });
  });

  it('numbers its notes by their references, foot- and endnotes apart', async () => {
    const reference = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const bytes = word(
      `<w:p>${reference('footnote', 7)}${reference('endnote', 7)}${reference('footnote', 5)}${reference('footnote', 7)}</w:p>`,
      { 'doc/f.xml': `<w:footnotes><w:footnote w:id="5">${p('five')}</w:footnote></w:footnotes>` },
      [['footnotes', 'f.xml']],
    );
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[1][1][2][1]\n\n[footnotes]\n[2] five' });
  });

  it('has the documents that it contains, and is cut where these are long', async () => {
    const inner = word(p('inner') + p('long '.repeat(300_000)));
    const bytes = Buffer.from(
      zipSync({
        '[Content_Types].xml': strToU8('<Types/>'),
        '_rels/.rels': strToU8(rels(['officeDocument', '/doc/main.xml'])),
        'doc/main.xml': strToU8('<w:document><w:altChunk r:id="r1"/><w:altChunk r:id="r2"/></w:document>'),
        'doc/_rels/main.xml.rels': strToU8(rels(['aFChunk', 'a.html'], ['aFChunk', 'b.docx'])),
        'doc/a.html': strToU8('<p>page</p>'),
        'doc/b.docx': new Uint8Array(inner),
      }),
    );
    const { text, isCut } = (await read(bytes, 'zip')) as { text: string; isCut: boolean };
    expect([text.slice(0, 15), isCut]).toEqual(['page\ninner\nlong', true]);
  });

  it('marks hidden text, and leaves out deleted text', async () => {
    const hidden =
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>aside</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>';
    expect(await read(word(hidden), 'zip')).toMatchObject({ text: '[hidden: aside]' });
  });
});

/** An OLE container with streams. */
const ole = (streams: Record<string, Buffer>) => {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${name}`, content);
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer);
};

/** A file as the packager of Windows keeps it. */
const packed = (name: string, content: string) => {
  const size = (bytes: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(bytes.length);
    return Buffer.concat([head, bytes]);
  };
  const path = Buffer.from(`C:\\tmp\\${name}\0`);
  const head = Buffer.concat([
    Buffer.from('0200', 'hex'),
    Buffer.from(`${name}\0`),
    path,
    Buffer.from('00000300', 'hex'),
  ]);
  return ole({ '\x01Ole10Native': size(Buffer.concat([head, size(path), size(Buffer.from(content))])) });
};

describe('an Office file in one XML file', () => {
  const part = (name: string, content: string) =>
    `<pkg:part pkg:name="${name}" pkg:contentType="x"><pkg:xmlData>${content}</pkg:xmlData></pkg:part>`;

  it('is read as the package that it is, with its parts', async () => {
    const xml =
      '<?xml version="1.0"?><?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="p">' +
      part('/_rels/.rels', rels(['officeDocument', 'doc/main.xml'])) +
      part('/doc/_rels/main.xml.rels', rels(['comments', 'c.xml'], ['oleObject', 'o.bin'])) +
      part('/doc/main.xml', `<w:document>${p('Größe')}<o:OLEObject r:id="r2"/></w:document>`) +
      part('/doc/c.xml', `<w:comments><w:comment w:author="Ani">${p('why')}</w:comment></w:comments>`) +
      `<pkg:part pkg:name="/doc/o.bin"><pkg:binaryData>${packed('a.txt', 'packed').toString('base64')}</pkg:binaryData></pkg:part>` +
      '</pkg:package>';
    expect(await read(Buffer.from(xml), 'opc', 'xml')).toEqual({
      kind: 'Word document',
      isCut: false,
      sections: expect.anything() as unknown,
      text: 'Größe\n\n[comments]\nAni: why\n\n[embedded text file "a.txt"]\npacked',
    });
  });

  it('is read where Word 2003 wrote it', async () => {
    const xml = `<w:wordDocument xmlns:w="w"><w:body><wx:sect>${p('text')}</wx:sect></w:body></w:wordDocument>`;
    expect(await read(Buffer.from(xml), 'opc', 'xml')).toMatchObject({ kind: 'Word document', text: 'text' });
  });

  it('that is cut keeps the text before that point', async () => {
    const xml = `<pkg:package xmlns:pkg="p"><pkg:part pkg:name="/word/document.xml"><pkg:xmlData><w:document>${p('text')}<w:p><w:r`;
    expect(await read(Buffer.from(xml), 'opc', 'xml')).toMatchObject({ text: 'text' });
  });
});

describe('a message of Outlook', () => {
  it('has its head, its text and the names of its attachments', async () => {
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    const properties = Buffer.alloc(32);
    const bytes = ole({
      '__properties_version1.0': properties,
      '__substg1.0_0037001F': wide('Plan für Mai'),
      '__substg1.0_0C1A001F': wide('Ani'),
      '__substg1.0_5D01001F': wide('ani@example.com'),
      '__substg1.0_1000001F': wide('Halo dunia'),
      '__recip_version1.0_#00000000/__properties_version1.0': properties.subarray(0, 8),
      '__recip_version1.0_#00000000/__substg1.0_3001001F': wide('Budi'),
      '__recip_version1.0_#00000000/__substg1.0_39FE001F': wide('budi@example.com'),
      '__attach_version1.0_#00000000/__properties_version1.0': properties.subarray(0, 8),
      '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('plan.pdf'),
    });
    expect(await read(bytes, 'ole', 'msg')).toMatchObject({
      kind: 'Outlook message',
      text:
        'From: Ani <ani@example.com>\nTo: Budi <budi@example.com>\nSubject: Plan für Mai\nAttachments: plan.pdf\n\n' +
        'Halo dunia',
    });
  });

  it('that is cut off is reported', async () => {
    const bytes = ole({
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_1000001F': Buffer.alloc(9_000, 'a'),
    });
    expect(await read(bytes.subarray(0, 3_000), 'ole', 'msg')).toHaveProperty('problem');
  });
});

describe('a document inside of another one', () => {
  const book = (text: string) =>
    Buffer.from(
      write(utils.book_new(utils.aoa_to_sheet([[text]]), 'Plan'), { bookType: 'xlsx', type: 'buffer' }) as Buffer,
    );

  const object = (id: string) =>
    `<w:p><w:r><w:object><o:OLEObject ProgID="Excel" r:id="${id}"/></w:object></w:r></w:p>`;

  it('is read after the outer one, with its place', async () => {
    const inner = word(p('in the inner one'));
    const bytes = Buffer.from(
      zipSync({
        ...unzipSync(
          word(p('Costs', '<w:outlineLvl w:val="0"/>') + object('r1') + p('rent') + object('r2') + object('r3'), {}, [
            ['package', 'embeddings/a.xlsx'],
            ['oleObject', 'embeddings/b.bin'],
            ['oleObject', 'embeddings/c.bin'],
          ]),
        ),
        'doc/embeddings/a.xlsx': new Uint8Array(book('300')),
        'doc/embeddings/b.bin': new Uint8Array(ole({ Package: inner })),
        'doc/embeddings/c.bin': new Uint8Array(packed('remark.txt', 'as text')),
      }),
    );
    expect(await read(bytes, 'zip')).toMatchObject({
      text:
        '[Costs]\nrent\n\n[embedded Excel workbook, Costs: sheet "Plan"]\n300\n\n' +
        '[embedded Word document, Costs]\nin the inner one\n\n[embedded text file "remark.txt", Costs]\nas text',
    });
  });

  it('that is damaged, missing or of an unknown kind takes no other text away', async () => {
    const bytes = Buffer.from(
      zipSync({
        ...unzipSync(
          word(object('r1') + object('r2') + object('r3') + object('r4') + p('text'), {}, [
            ['package', 'embeddings/a.xlsx'],
            ['oleObject', 'embeddings/b.bin'],
            ['oleObject', 'embeddings/none.bin'],
            ['oleObject', 'embeddings/c.bin'],
          ]),
        ),
        'doc/embeddings/a.xlsx': strToU8('PK\x03\x04 no archive'),
        'doc/embeddings/b.bin': new Uint8Array(packed('setup.exe', 'MZ')),
        'doc/embeddings/c.bin': new Uint8Array(ole({ Equation: Buffer.from('x') })),
      }),
    );
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'text\n\n[embedded file "setup.exe"]\n' });
  });

  it('that contains itself ends', async () => {
    let bytes = word(p('innermost'));
    for (let depth = 0; depth < 10; depth++) {
      const outer = word(p(`level ${depth}`) + object('r1'), {}, [['package', 'embeddings/a.docx']]);
      bytes = Buffer.from(zipSync({ ...unzipSync(outer), 'doc/embeddings/a.docx': new Uint8Array(bytes) }));
    }
    const { text } = (await read(bytes, 'zip')) as { text: string };
    expect(text.match(/level \d/g)).toEqual(['level 9', 'level 8', 'level 7', 'level 6']);
  });

  it('stands on its slide and its sheet', async () => {
    const show = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
      'show/main.xml': '<p:presentation><p:sldId r:id="r1"/></p:presentation>',
      'show/_rels/main.xml.rels': rels(['slide', 's.xml']),
      'show/s.xml': '<p:sld><p:oleObj r:id="r1"/></p:sld>',
      'show/_rels/s.xml.rels': rels(['package', 'embeddings/a.xlsx']),
    });
    const withBook = (bytes: Uint8Array, path: string, more: Record<string, Uint8Array> = {}) =>
      Buffer.from(zipSync({ ...unzipSync(bytes), [path]: new Uint8Array(book('300')), ...more }));
    expect(await read(withBook(show, 'show/embeddings/a.xlsx'), 'zip')).toMatchObject({
      text: '[embedded Excel workbook, slide 1: sheet "Plan"]\n300',
    });
    const sheet = { 'xl/worksheets/_rels/sheet1.xml.rels': strToU8(rels(['package', '../embeddings/a.xlsx'])) };
    expect(await read(withBook(book('outer'), 'xl/embeddings/a.xlsx', sheet), 'zip')).toMatchObject({
      text: '[sheet "Plan"]\nouter\n\n[embedded Excel workbook, sheet "Plan": sheet "Plan"]\n300',
    });
  });

  it('in files of earlier versions is read too', async () => {
    const xls = (text: string) =>
      CFB.read(
        Buffer.from(
          write(utils.book_new(utils.aoa_to_sheet([[text]]), 'Plan'), { bookType: 'xls', type: 'buffer' }) as Buffer,
        ),
        { type: 'buffer' },
      );
    const outer = xls('outer');
    CFB.utils.cfb_add(outer, '/MBD0001/Workbook', CFB.find(xls('inner'), '/Workbook')!.content as Buffer);
    const bytes = Buffer.from(CFB.write(outer, { type: 'buffer' }) as Buffer);
    expect(await read(bytes, 'ole')).toMatchObject({
      text: '[sheet "Plan"]\nouter\n\n[embedded Excel workbook, sheet "Plan": sheet "Plan"]\ninner',
    });
  });
});

/** A document of Word 6 whose runs have fonts with the given character sets. */
function word6(
  runs: [bytes: string, font: number | null, isDeleted?: boolean][],
  charsets: number[],
  bytesOfCharacter = 1,
): Buffer {
  const stream = Buffer.alloc(4 * 512);
  const text = Buffer.concat(runs.map(([bytes]) => Buffer.from(bytes, 'latin1')));
  stream.writeUInt16LE(0xa5dc, 0);
  stream.writeUInt16LE(0x65, 2);
  stream.writeUInt16LE(0x409, 6);
  stream.writeUInt32LE(512, 24);
  stream.writeUInt32LE(512 + text.length, 28);
  stream.writeUInt16LE(bytesOfCharacter === 2 ? 0x1000 : 0, 10);
  stream.writeUInt32LE(text.length / bytesOfCharacter, 52);
  text.copy(stream, 512);
  const page = stream.subarray(1024, 1536);
  let [at, end] = [512, 500];
  for (const [index, [bytes, font, isDeleted]] of runs.entries()) {
    page.writeUInt32LE(at, 4 * index);
    at += bytes.length;
    const properties = [...(isDeleted ? [65, 1] : []), ...(font === null ? [] : [93, font, 0])];
    if (properties.length > 0) {
      end -= 8;
      page.set([properties.length, ...properties], end);
      page[4 * (runs.length + 1) + index] = end / 2;
    }
  }
  page.writeUInt32LE(at, 4 * runs.length);
  page[511] = runs.length;
  const fonts = Buffer.concat([Buffer.alloc(2), ...charsets.map((set) => Buffer.from([7, 0, 0, 0, set, 0, 0x41, 0]))]);
  fonts.copy(stream, 1536);
  stream.writeUInt32LE(1536, 0xd0);
  stream.writeUInt32LE(fonts.length, 0xd4);
  stream.writeUInt32LE(1700, 0xb8);
  stream.writeUInt32LE(10, 0xbc);
  stream.writeUInt16LE(2, 1708);
  return ole({ WordDocument: stream });
}

describe('a document of Word 6', () => {
  it('for East Asia is read as UTF-16', async () => {
    const bytes = word6([[Buffer.from('日本 text\r', 'utf16le').toString('latin1'), 0]], [128], 2);
    expect(await read(bytes, 'ole')).toMatchObject({ text: '日本 text' });
  });

  it('is read in the code page of each font, without deleted text', async () => {
    const bytes = word6(
      [
        ['Caf\xe9 ', null],
        ['\xd7\xe5\xf2\xfb\xf0\xe5', 1],
        [' p\xf8ed', 2],
        [' gone', 0, true],
        ['\r', null],
      ],
      [0, 204, 238],
    );
    expect(await read(bytes, 'ole')).toMatchObject({ text: 'Café Четыре před' });
  });
});

describe('a presentation', () => {
  it('may have more paragraphs in a shape than a call has arguments', async () => {
    const bytes = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
      'show/main.xml': '<p:presentation><p:sldId id="256" r:id="r1"/></p:presentation>',
      'show/_rels/main.xml.rels': rels(['slide', 's.xml']),
      'show/s.xml': `<p:sld><p:sp>${'<a:p><a:t>a</a:t></a:p>'.repeat(200_000)}</p:sp></p:sld>`,
    });
    const { text } = (await read(bytes, 'zip')) as { text: string };
    expect(text).toHaveLength('[slide 1]\n'.length + 2 * 200_000 - 1);
  });

  it('has the text of the picture of a document that is only linked', async () => {
    const y = (text: string, top: number) => {
      const record = Buffer.alloc(52 + 2 * text.length);
      record.writeUInt32LE(84, 0);
      record.writeUInt32LE(record.length, 4);
      record.writeInt32LE(top, 40);
      record.writeUInt32LE(text.length, 44);
      record.writeUInt32LE(52, 48);
      record.write(text, 52, 'utf16le');
      return record;
    };
    const head = Buffer.alloc(88);
    head.writeUInt32LE(1, 0);
    head.writeUInt32LE(88, 4);
    head.write(' EMF', 40, 'latin1');
    const show = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
      'show/main.xml': '<p:presentation><p:sldId r:id="r1"/></p:presentation>',
      'show/_rels/main.xml.rels': rels(['slide', 's.xml']),
      'show/s.xml': '<p:sld><p:oleObj/></p:sld>',
      'show/_rels/s.xml.rels': rels(['vmlDrawing', 'd.vml']),
      'show/d.vml': '<xml/>',
      'show/_rels/d.vml.rels': rels(['image', 'media/i.emf']),
    });
    const picture = Buffer.concat([head, y('Sum', 1), y('of', 1), y('Größe', 9)]);
    const bytes = Buffer.from(zipSync({ ...unzipSync(show), 'show/media/i.emf': new Uint8Array(picture) }));
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[slide 1]\n[picture: Sum of\nGröße]' });
  });

  it('marks hidden slides, and has tables, comments and the text of masters', async () => {
    const shape = (text: string, placeholder = '') =>
      `<p:sp><p:nvPr>${placeholder}</p:nvPr><a:p><a:t>${text}</a:t></a:p></p:sp>`;
    const bytes = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
      'show/main.xml': '<p:presentation><p:sldId id="256" r:id="r1"/></p:presentation>',
      'show/_rels/main.xml.rels': rels(['slide', 's.xml']),
      'show/s.xml': `<p:sld show="0">${shape('Plan')}<a:tr><a:tc><a:p><a:t>a</a:t></a:p></a:tc><a:tc><a:p><a:t>b</a:t></a:p></a:tc></a:tr></p:sld>`,
      'show/_rels/s.xml.rels': rels(['slideLayout', 'l.xml'], ['comments', 'c.xml']),
      'show/l.xml': `<p:sldLayout>${shape('Click here', '<p:ph type="body"/>')}${shape('ACME')}</p:sldLayout>`,
      'show/c.xml': '<p:cmLst><p:cm><p:text>Ask Budi</p:text></p:cm></p:cmLst>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[slide 1, hidden]\nPlan\na\tb\nComments:\nAsk Budi\n\n[on the slide masters]\nACME',
    });
  });
});

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

describe('a document of LibreOffice', () => {
  const odf = (body: string, type: string) =>
    zip({
      mimetype: `application/vnd.oasis.opendocument.${type}`,
      'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
    });

  it('of text has headings, tables and notes', async () => {
    const body =
      '<text:h>Costs</text:h><text:p>See<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>aside</text:p></text:note-body></text:note></text:p>' +
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>';
    expect(await read(odf(body, 'text'), 'zip')).toMatchObject({ text: '[Costs]\nSee [note: aside]\na\tb' });
  });

  it('that is damaged keeps the text before that point', async () => {
    expect(await read(odf('<text:p>before</text:p><text:p>x</text:q>', 'text'), 'zip')).toMatchObject({
      text: 'before\nx',
      isDamaged: true,
    });
  });

  it('takes a number of spaces that is none as one', async () => {
    expect(
      await read(odf('<text:p>a<text:s text:c="-3"/>b<text:s text:c="x"/>c</text:p>', 'text'), 'zip'),
    ).toMatchObject({ text: 'a b c' });
  });

  it('of sheets has values as they are shown, formulas without values, and hidden sheets', async () => {
    const body =
      '<table:table table:name="Plan" table:style-name="ta2"><table:table-row><table:table-cell office:value="0.5"><text:p>50%</text:p></table:table-cell>' +
      '<table:table-cell table:number-columns-repeated="2"/><table:table-cell table:formula="of:=[.A1]*2"/></table:table-row></table:table>';
    expect(await read(odf(body, 'spreadsheet'), 'zip')).toMatchObject({
      text: '[sheet "Plan", hidden]\n50%\t\t\t=[.A1]*2',
    });
  });

  it('that is encrypted is protected', async () => {
    const bytes = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': 'x',
      'META-INF/manifest.xml': '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'encrypted' });
  });
});

describe('other documents', () => {
  it('RTF is decoded by its fonts, without what is no text', async () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}{\\*\\generator X;}{\\info{\\title T}}' +
      "\\f0 caf\\'e9 \\u8364? {\\f1\\'c8\\'ec\\'ff}\\par{\\v aside}{\\pict 0a0b}\\cell\\row}";
    expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: 'café € Имя\n[hidden: aside]' });
  });

  it('a mail is decoded, with the names of its attachments', async () => {
    const mail = [
      'From: =?utf-8?B?QW5p?= <ani@example.com>',
      'To: budi@example.com',
      'Subject: =?iso-8859-1?Q?Caf=E9?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Halo dunia').toString('base64'),
      '--x',
      'Content-Type: application/pdf; name="plan.pdf"',
      'Content-Disposition: attachment; filename="plan.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--x--',
    ].join('\r\n');
    expect(await read(Buffer.from(mail), 'mail')).toMatchObject({
      text: 'From: Ani <ani@example.com>\nTo: budi@example.com\nSubject: Café\nAttachments: plan.pdf\n\nHalo dunia',
    });
  });

  it('a book has its chapters in order', async () => {
    const bytes = zip({
      'META-INF/container.xml': '<container><rootfile full-path="OPS/book.opf"/></container>',
      'OPS/book.opf':
        '<package><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/><itemref idref="b"/><itemref idref="a"/></package>',
      'OPS/a.xhtml': '<html><head><title>Two</title></head><body><p>second</p></body></html>',
      'OPS/b.xhtml': '<html><head><title>One</title></head><body><p>first</p></body></html>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[One]\nfirst\n\n[Two]\nsecond' });
  });

  it.each([
    [
      'UTF-8 with single bad bytes',
      Buffer.concat([Buffer.from('日本語 '), Buffer.from([0xff]), Buffer.from(' café')]),
      undefined,
      '日本語 \ufffd café',
    ],
    ['UTF-16 without a mark', Buffer.from('Nama;Kota\nAni;Köln', 'utf16le'), 'UTF-16', 'Nama;Kota\nAni;Köln'],
    ['KOI8-R', Buffer.from('c9cdd13be7cfd2cfc40ae9d7c1ce3bedcfd3cbd7c1', 'hex'), 'KOI8-R', 'имя;Город\nИван;Москва'],
  ])('a text in %s is decoded', async (_, bytes, encoding, text) => {
    const result = await read(bytes, 'text');
    expect(result).toMatchObject({ text });
    expect((result as { encoding?: string }).encoding).toBe(encoding);
  });

  it('a text of one line is decoded by letters far from its start', async () => {
    const line = Buffer.concat([
      Buffer.alloc(64 * 1024, ' '),
      Buffer.from('c8e2e0ed20cceef1eae2e020c8ecff20c3eef0eee4', 'hex'),
    ]);
    expect(await read(line, 'text')).toMatchObject({ text: 'Иван Москва Имя Город', encoding: 'Windows-1251' });
  });

  it('that its name calls otherwise is read by its content', async () => {
    expect(await read(word(p('text')), 'zip', 'xls')).toMatchObject({
      text: 'text',
      kind: 'Word document',
      isNamedOtherwise: true,
    });
    expect(await read(word(p('text')), 'zip', 'docx')).not.toHaveProperty('isNamedOtherwise');
  });

  it('that no reader knows is named', async () => {
    expect(await read(zip({ 'visio/document.xml': 'x' }), 'zip')).toEqual({
      problem: 'unknown',
      kind: 'Visio drawing',
    });
  });
});
