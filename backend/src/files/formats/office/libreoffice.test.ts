import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DocumentFormat } from '../../inspection/file-kind.js';
import { readDocument } from '../read-document.js';

const OFFICE = '/usr/bin/soffice';
const TIMEOUT_MS = 300_000;

const NAMES = ['office', 'text', 'table', 'style', 'drawing', 'presentation'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const OTHERS =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" ' +
  'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"';

const source = (kind: string, styles: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${NAMES.join(' ')} ${OTHERS} office:version="1.3" ` +
  `office:mimetype="application/vnd.oasis.opendocument.${kind}">${styles}` +
  `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;

const cell = (value: number, formula = '') =>
  `<table:table-cell ${formula} office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`;

const box = (text: string) =>
  '<drawing:frame svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm"><drawing:text-box>' +
  `<text:p>${text}</text:p></drawing:text-box></drawing:frame>`;

/** Sources by the name of the converted file, each with the formats that LibreOffice writes of it. */
const SOURCES = {
  text: {
    source: source(
      'text',
      '<office:automatic-styles><style:page-layout style:name="P"><style:header-style/></style:page-layout></office:automatic-styles>' +
        '<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P"><style:header><text:p>Kopfzeile</text:p>' +
        '</style:header></style:master-page></office:master-styles>',
      '<text:h text:outline-level="1">Größe</text:h><text:p>Erste Zeile<text:note text:note-class="footnote"><text:note-citation>1' +
        '</text:note-citation><text:note-body><text:p>Fußnote</text:p></text:note-body></text:note> 日本<office:annotation>' +
        '<dc:creator>Ani</dc:creator><text:p>Kommentar</text:p></office:annotation></text:p><table:table><table:table-column ' +
        'table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>Pen</text:p></table:table-cell>' +
        '<table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table><text:p>Ende</text:p>',
    ),
    formats: ['docx', 'doc', 'odt', 'rtf', 'pdf'],
  },
  sheet: {
    source: source(
      'spreadsheet',
      '<office:automatic-styles><style:style style:name="h" style:family="table"><style:table-properties table:display="false"/>' +
        '</style:style></office:automatic-styles>',
      `<table:table table:name="Plan"><table:table-row>${cell(2)}${cell(3)}${cell(6, 'table:formula="of:=[.A1]*[.B1]"')}</table:table-row>` +
        '<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>Kommentar</text:p></office:annotation>' +
        '<text:p>Größe</text:p></table:table-cell></table:table-row></table:table>' +
        `<table:table table:name="Geheim" table:style-name="h"><table:table-row>${cell(42)}</table:table-row></table:table>`,
    ),
    formats: ['xlsx', 'xls', 'ods'],
  },
  show: {
    source: source(
      'presentation',
      '<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties fo:page-width="28cm" ' +
        'fo:page-height="21cm"/></style:page-layout><style:style style:name="hid" style:family="drawing-page">' +
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles>' +
        '<office:master-styles><style:master-page style:name="M" style:page-layout-name="P"/></office:master-styles>',
      `<drawing:page drawing:name="one" drawing:master-page-name="M">${box('Größe')}<presentation:notes><drawing:frame ` +
        'presentation:class="notes" svg:x="2cm" svg:y="14cm" svg:width="17cm" svg:height="12cm"><drawing:text-box><text:p>Notiz' +
        '</text:p></drawing:text-box></drawing:frame></presentation:notes></drawing:page>' +
        `<drawing:page drawing:name="two" drawing:style-name="hid" drawing:master-page-name="M">${box('Zweite')}</drawing:page>`,
    ),
    formats: ['pptx', 'ppt', 'odp'],
  },
};

const READERS: Record<string, DocumentFormat> = { doc: 'ole', xls: 'ole', ppt: 'ole', rtf: 'rtf', pdf: 'pdf' };

/** Debian's LibreOffice; machines without it leave these tests out. */
const where = existsSync(OFFICE) ? describe : describe.skip;

where('files of LibreOffice', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tanya-libreoffice-'));
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    for (const [name, { source: content, formats }] of Object.entries(SOURCES)) {
      const path = join(folder, `${name}.xml`);
      await writeFile(path, content);
      for (const format of formats)
        await promisify(execFile)(OFFICE, [profile, '--headless', '--convert-to', format, '--outdir', folder, path]);
    }
  }, TIMEOUT_MS);

  afterAll(() => rm(folder, { recursive: true }));

  const sectionsOf = async (name: string) => {
    const extension = name.split('.')[1]!;
    const read = await readDocument(await readFile(join(folder, name)), READERS[extension] ?? 'zip', extension);
    if ('problem' in read) return read.problem;
    return read.sections.map(({ label, text }) => `[${label}] ${text.replace(/\s+/g, ' ').trim()}`);
  };

  it.each([
    [
      'text.docx',
      [
        '[Größe] Erste Zeile[1] 日本 Pen 12 Ende',
        '[footnotes] [1] Fußnote',
        '[comments] Ani: Kommentar',
        '[headers] Kopfzeile',
      ],
    ],
    [
      'text.doc',
      [
        '[] Größe Erste Zeile[1] 日本 Pen 12 Ende',
        '[footnotes] [1] Fußnote',
        '[comments] Kommentar',
        '[headers] Kopfzeile',
      ],
    ],
    [
      'text.odt',
      [
        '[Größe] Erste Zeile [note: Fußnote] 日本 [comment: Ani: Kommentar] Pen 12 Ende',
        '[headers and footers] Kopfzeile',
      ],
    ],
    [
      'text.rtf',
      [
        '[] Größe Erste Zeile [note: Fußnote] 日本 [comment: Ani: Kommentar] Pen 12 Ende',
        '[headers and footers] Kopfzeile',
      ],
    ],
    ['text.pdf', ['[page 1] Kopfzeile Größe Erste Zeile¹ 日本 Pen 12 Ende 1 Fußnote']],
    ['sheet.xlsx', ['[sheet "Plan"] 2 3 6 Größe Comments: A2: Kommentar Page', '[sheet "Geheim", hidden] 42 Page']],
    ['sheet.xls', ['[sheet "Plan"] 2 3 6 Größe Comments: A2: Kommentar Page', '[sheet "Geheim", hidden] 42 Page']],
    [
      'sheet.ods',
      ['[sheet "Plan"] 2 3 6 [comment: Kommentar] Größe', '[sheet "Geheim", hidden] 42', '[headers and footers] Page'],
    ],
    ['show.pptx', ['[slide 1] Größe Notes: Notiz', '[slide 2, hidden] Zweite']],
    ['show.ppt', ['[slide 1] Größe Notes: Notiz', '[slide 2, hidden] Zweite']],
    ['show.odp', ['[slide 1] Größe Notes: Notiz', '[slide 2, hidden] Zweite']],
  ])('%s are read with all that they have', async (name, sections) => {
    expect(await sectionsOf(name)).toEqual(sections);
  });
});
