import { layered, line, on } from '../../../test/files/layered-pdf.js';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { oldPresentation, type PptRecord, pptString, zip } from '../../../test/files/made-documents.js';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { readDocument } from './read-document.js';

const inputs = new URL('../../../test/files/inputs/', import.meta.url);

const stored = (path: string, format: DocumentFormat) => {
  const bytes = readFileSync(new URL(path, inputs));
  return { bytes: path.endsWith('.gz') ? gunzipSync(bytes) : bytes, format };
};

const zipped = (entries: Record<string, string>) => ({ bytes: zip(entries), format: 'zip' as const });

const plain = (text: string, format: DocumentFormat) => ({ bytes: Buffer.from(text), format });

const word = (body: string) =>
  zipped({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
  });

const slide = (body: string, master = '') => {
  const rel = (type: string, target: string) =>
    `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/></Relationships>`;
  return zipped({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': '<p:presentation><p:sldId r:id="r1"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': rel('slide', 's.xml'),
    'ppt/s.xml': `<p:sld>${body}</p:sld>`,
    'ppt/_rels/s.xml.rels': rel('slideLayout', 'l.xml'),
    'ppt/l.xml': `<p:sldLayout>${master}</p:sldLayout>`,
  });
};

const flat = (body: string) =>
  plain(`<office:document xmlns:office="o"><office:body>${body}</office:body></office:document>`, 'odf');

const presentation = (...records: PptRecord[]) => ({ bytes: oldPresentation(...records), format: 'ole' as const });

type Case = [file: { bytes: Buffer; format: DocumentFormat }, text: string];

const pdf = stored('made/text.pdf', 'pdf');
const docx = stored('made/text.docx', 'zip');
const doc = stored('made/text.doc', 'ole');
const pptx = stored('made/show.pptx', 'zip');
const ppt = stored('made/show.ppt.gz', 'ole');
const xlsx = stored('made/sheet.xlsx', 'zip');
const odt = stored('made/text.odt', 'zip');
const ods = stored('made/sheet.ods', 'zip');
const odp = stored('made/show.odp', 'zip');
const rtf = stored('made/text.rtf', 'rtf');
const mail = plain('From: ani@example.com\nSubject: Plan\nContent-Type: text/html\n\n<td>one</td><td>two</td>', 'mail');
const html = plain('<h1>Plan</h1><table><tr><td>one</td><td>two</td></tr></table>', 'html');
const book = zipped({
  'META-INF/container.xml': '<container><rootfile full-path="book.opf"/></container>',
  'book.opf': '<package><item id="c" href="c.xhtml"/><itemref idref="c"/></package>',
  'c.xhtml': '<html><h1>Chapter</h1><table><tr><td>one</td><td>two</td></tr></table></html>',
});

/** What is read of each format, by the columns of the table in `docs/documents.md`. */
const CASES: Record<string, Record<string, Case[]>> = {
  PDF: {
    sections: [[pdf, '[page 2]']],
    tables: [[pdf, 'cell one cell two']],
    notes: [[pdf, '1 a footnote']],
    comments: [[stored('S3/freetext.pdf', 'pdf'), 'typed on top 55']],
    headers: [[pdf, 'a header']],
    forms: [[stored('S3/form.pdf', 'pdf'), '[x] agree']],
    'hidden parts': [
      [
        { bytes: layered(line('one', 700) + on('L1', line('two', 650))), format: 'pdf' },
        'one\n[hidden layer "Draft": two]',
      ],
    ],
  },
  'DOCX, DOCM, DOTX': {
    sections: [[docx, '[A heading]']],
    tables: [[docx, 'cell one \tcell two']],
    notes: [
      [docx, '[footnotes]\n[1] \ta footnote'],
      [docx, '[endnotes]\n[i] \tan endnote'],
    ],
    comments: [[docx, '[comments]\nAni: a comment']],
    headers: [
      [docx, '[headers]\na header'],
      [docx, '[footers]\na footer'],
    ],
    forms: [[word('<w:p><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:p>'), '[x]']],
    'hidden parts': [[docx, '[hidden: hidden words]']],
    formulas: [[word('<w:p><m:f><m:num><m:t>a</m:t></m:num><m:den><m:t>b</m:t></m:den></m:f></w:p>'), 'a/b']],
  },
  'DOC (Word 2 to 2003)': {
    sections: [[doc, '[footnotes]']],
    tables: [[doc, 'cell one\tcell two']],
    notes: [
      [doc, '[footnotes]\n[1]\ta footnote'],
      [doc, '[endnotes]\n[i]\tan endnote'],
    ],
    comments: [[doc, '[comments]\na comment']],
    headers: [
      [doc, '[headers]\na header'],
      [doc, '[footers]\na footer'],
    ],
    'hidden parts': [[doc, 'hidden words']],
  },
  'PPTX, PPTM, PPSX, POTX': {
    sections: [[pptx, '[slide 1]\nFirst slide']],
    tables: [[pptx, 'cell one\tcell two']],
    notes: [[pptx, 'Notes:\na note']],
    comments: [[pptx, 'Comments:\nAni: a comment']],
    headers: [[slide('', '<p:sp><a:p><a:t>on the master</a:t></a:p></p:sp>'), '[on the slide masters]\non the master']],
    'hidden parts': [[pptx, '[slide 2, hidden]\nSecond slide']],
    formulas: [[slide('<p:sp><a:p><m:t>a+b</m:t></a:p></p:sp>'), 'a+b']],
  },
  PPT: {
    sections: [[ppt, '[slide 1]\nFirst slide']],
    tables: [[ppt, 'cell one\ncell two']],
    notes: [[ppt, 'Notes:\na note']],
    comments: [[presentation([12_000, [pptString('Ani'), pptString('a comment')]]), '[comment: Ani: a comment]']],
    headers: [
      [
        presentation([
          1000,
          [
            [4057, [pptString('a header')]],
            [4080, [[1011, Buffer.alloc(20)]]],
          ],
        ]),
        '[on the slide masters]\na header',
      ],
    ],
    'hidden parts': [[ppt, '[slide 2, hidden]\nSecond slide']],
  },
  'XLSX, XLSM, XLSB, XLS': {
    sections: [[xlsx, '[sheet "Plan"]']],
    tables: [[xlsx, '2\t3\t6']],
    comments: [
      [xlsx, 'Comments:\nA2: a comment'],
      [stored('made/sheet.xls', 'ole'), 'Comments:\nA2: a comment'],
    ],
    headers: [
      [xlsx, 'a header'],
      [stored('made/sheet.xls', 'ole'), 'a header'],
    ],
    'hidden parts': [[xlsx, '[sheet "Secret", hidden]\n42']],
    formulas: [[stored('B5/formula.xlsx', 'zip'), '=SUM(A1:A2)']],
  },
  'ODT, ODS, ODP, ODG': {
    sections: [
      [odt, '[A heading]'],
      [ods, '[sheet "Plan"]'],
      [odp, '[slide 1]\nFirst slide'],
    ],
    tables: [
      [odt, 'cell one\tcell two'],
      [ods, '2\t3\t6'],
      [odp, 'cell one\tcell two'],
    ],
    notes: [
      [odt, '[note: a footnote]'],
      [odt, '[note: an endnote]'],
      [odp, 'Notes:\na note'],
    ],
    comments: [
      [odt, '[comment: Ani: a comment]'],
      [ods, '[comment: a comment]'],
      [odp, '[comment: Ani: a comment]\n\n[slide 2, hidden]'],
    ],
    forms: [
      [
        flat(
          '<office:text><office:forms><form:text form:name="Who" form:current-value="Ani"/></office:forms></office:text>',
        ),
        'Who: Ani',
      ],
    ],
    headers: [
      [odt, '[headers and footers]\na header\na footer'],
      [ods, 'a header'],
    ],
    'hidden parts': [
      [odt, 'hidden words'],
      [ods, '[sheet "Secret", hidden]\n42'],
      [odp, '[slide 2, hidden]\nSecond slide'],
    ],
    formulas: [
      [
        flat(
          '<table:table><table:table-row><table:table-cell table:formula="of:=1+1"/></table:table-row></table:table>',
        ),
        '=1+1',
      ],
    ],
  },
  RTF: {
    sections: [[rtf, 'A heading']],
    tables: [[rtf, 'cell one\tcell two']],
    notes: [[rtf, '[note: \ta footnote]']],
    comments: [[rtf, '[comment: Ani: a comment]']],
    headers: [[rtf, '[headers and footers]\na header\na footer']],
    'hidden parts': [[rtf, '[hidden: hidden words]']],
  },
  'HWP, HWPX': { sections: [[zipped({ 'Contents/section0.xml': '<s><p><t>Plan</t></p></s>' }), 'Plan']] },
  EPUB: { sections: [[book, '[Chapter]']], tables: [[book, 'one']] },
  'EML, MHT, MSG, TNEF': {
    sections: [[mail, 'Subject: Plan']],
    tables: [[mail, 'one']],
    headers: [[mail, 'From: ani@example.com']],
    'hidden parts': [
      [
        plain('Subject: Plan\nContent-Type: text/html\n\n<p style="display:none">preview</p><p>Plan', 'mail'),
        '[hidden: preview]',
      ],
    ],
  },
  'Jupyter notebooks': { sections: [[plain('{"cells":[{"source":"Plan"}]}', 'notebook'), '[cell 1]\nPlan']] },
  HTML: {
    sections: [[html, 'Plan']],
    tables: [[html, 'one']],
    forms: [[plain('<p>Name <input value="Ani"></p>', 'html'), 'Name Ani']],
    'hidden parts': [[plain('<p hidden>for filters</p>', 'html'), '[hidden: for filters]']],
  },
  'text, CSV, source code': { sections: [[plain('caf\xe9', 'text'), 'caf']] },
  'ZIP, RAR, tar': { sections: [[zipped({ 'a/b.txt': '' }), 'a/b.txt']] },
};

/** The cells of the documented table: formats, their columns, and whether something is read. */
function documented(): [format: string, column: string, isRead: boolean][] {
  const lines = readFileSync(new URL('../../../../docs/documents.md', import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('| format'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const rows = lines.slice(start, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [[, ...columns] = [], , ...formats] = rows;
  return formats.flatMap(([format = '', ...cells]) =>
    columns.map((column, index): [string, string, boolean] => [format, column, cells[index] !== '–']),
  );
}

describe('the table of what is read', () => {
  it.each(documented())('%s, %s: %s', async (format, column, isRead) => {
    const cases = CASES[format]?.[column] ?? [];
    expect(cases.length > 0).toBe(isRead);
    for (const [{ bytes, format: reader }, text] of cases) {
      const result = await readDocument(bytes, reader);
      const sections = 'problem' in result ? [] : result.sections;
      expect(sections.map((section) => `[${section.label}]\n${section.text}`).join('\n\n')).toContain(text);
    }
  });

  it('has a row for each of its formats', () => {
    expect([...new Set(documented().map(([format]) => format))]).toEqual(Object.keys(CASES));
  });
});
