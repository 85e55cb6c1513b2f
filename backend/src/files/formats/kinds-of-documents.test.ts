import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { ole, p, read, readInput, word, zip } from '../../../test/files/made-documents.js';

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

describe('other documents', () => {
  it('RTF is decoded by its fonts, without what is no text', async () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}{\\*\\generator X;}{\\info{\\title T}}' +
      "\\f0 caf\\'e9 \\u8364? {\\f1\\'c8\\'ec\\'ff}\\par{\\v aside}{\\pict 0a0b}\\cell\\row}";
    expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: 'café € Имя\n[hidden: aside]' });
  });

  it('RTF keeps each row of a table in a line, and has the authors of comments', async () => {
    const rtf =
      '{\\rtf1 before\\par\\trowd\\cellx1\\cellx2\\pard\\intbl one\\par two\\cell a\\line b\\tab c\\\nd\\cell\\row\\pard after' +
      '{\\*\\atnid A}{\\*\\atnauthor Ani}\\chatn{\\*\\annotation{\\*\\atnref 1}why\\par more}\\par end}';
    expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({
      text: 'before\none two\ta b c d\t\nafter [comment: Ani: why\nmore] \nend',
    });
  });

  it('RTF has the text of WordArt, and no other property of a shape', async () => {
    const property = (name: string, value: string) => `{\\sp{\\sn ${name}}{\\sv ${value}}}`;
    const shape = `{\\shp{\\*\\shpinst\\shpz1${property('lineColor', '7')}${property('gtextUNICODE', 'Sale')}${property('gtextFont', 'Arial')}}}`;
    expect(await read(Buffer.from(`{\\rtf1 before ${shape}after}`), 'rtf')).toMatchObject({
      text: 'before Sale\nafter',
    });
  });

  it('RTF has the text of WordArt where names of properties stand one behind the other', async () => {
    const shape = String.raw`{\*\shpinst{\sn fillColor}{\sn gtextUNICODE}{\sv Sale}}`;
    expect(await read(Buffer.from(`{\\rtf1 ${shape}after}`), 'rtf')).toMatchObject({ text: 'Sale\nafter' });
  });

  it('RTF has exponents and the characters of symbol fonts as they are shown', async () => {
    const rtf =
      '{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset2{\\*\\panose 05050102010706020507}Symbol;}{\\f2\\fcharset2 Wingdings;}}' +
      "\\f0 10{\\super 6} m\\super 2\\nosupersub , CO{\\sub 2}, 1{\\super st} {\\f1 a\\'b3}{\\f2\\'fe}{\\f1\\u61549?m} a}";
    expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: '10⁶ m², CO2, 1st α≥☑μμ a' });
  });

  it.each([
    ['pc', "\\'94", 'ö'],
    ['pca', "\\'9b", 'ø'],
    ['mac', "\\'9a", 'ö'],
  ])('RTF is decoded by its set of characters: %s', async (set, byte, letter) => {
    expect(await read(Buffer.from(`{\\rtf1\\${set} a${byte}b}`), 'rtf')).toMatchObject({ text: `a${letter}b` });
  });

  it('a chapter of a book has what its pictures say, and is named by the words of its heading, else by these', async () => {
    const bytes = zip({
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf':
        '<package><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/><itemref idref="a"/><itemref idref="b"/></package>',
      'a.xhtml':
        '<body><h1><img alt="Rose"/>Tea</h1><p>so <img src="e.png" alt="a&lt;b"/><img alt=""/> <picture><source srcset="f.webp"/><img alt="c"/></picture> holds</p></body>',
      'b.xhtml': '<body><h1><img alt="Salt"/></h1><p>second</p></body>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[Tea]\n[picture: Rose] Tea\n\nso [picture: a<b] [picture: c] holds\n\n[Salt]\n[picture: Salt]\n\nsecond',
    });
  });

  it('a chapter of a book is named by its heading, else by its title', async () => {
    const chapter = (body: string) => `<html><head><title>The Book</title></head><body>${body}</body></html>`;
    const bytes = zip({
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf':
        '<package><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/><itemref idref="a"/><itemref idref="b"/></package>',
      'a.xhtml': chapter('<h2 class="x"><a>1.</a> Tea &amp;<br/>Salt</h2><p>first</p>'),
      'b.xhtml': chapter('<p>second</p>'),
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[1. Tea & Salt]\n1. Tea &\nSalt\n\nfirst\n\n[The Book]\nsecond',
    });
  });

  it.each([
    [
      'no list of the order',
      { 'OPS/book.opf': '<package><item id="a" href="a.xhtml"/><item id="p" href="p.png"/></package>' },
    ],
    [
      'paths in another case',
      { 'OPS/book.opf': '<package><item id="a" href="A.xhtml"/><itemref idref="a"/></package>' },
    ],
  ])('a book with %s has its chapters', async (_, parts) => {
    const chapter = '<html><head><title>One</title></head><body><p>first</p></body></html>';
    const container = '<container><rootfile full-path="OPS/book.opf"/></container>';
    const expected = { text: '[One]\nfirst' };
    const book = { ...parts, 'OPS/a.xhtml': chapter };
    expect(await read(zip({ 'META-INF/container.xml': container, ...book }), 'zip')).toMatchObject(expected);
    expect(await read(zip(book), 'zip')).toMatchObject(expected);
  });

  it('a page of a book that is a drawing has its texts', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg"><style>text { fill: red }</style><title>The cover</title>' +
      '<text>Apple <tspan>pie</tspan></text><g><text>by Ada</text></g>' +
      '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Serves <b>four</b></p></foreignObject><desc>red</desc></svg>';
    const bytes = zip({
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf':
        '<package><item id="a" href="a.svg"/><item id="b" href="b.xhtml"/><item id="c" href="c.svg"/><itemref idref="a"/><itemref idref="c"/><itemref idref="b"/></package>',
      'a.svg': drawing,
      'b.xhtml': '<html><head><title>One</title></head><body><p>first</p></body></html>',
      'c.svg': '<svg><text>half</b></svg>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: expect.stringMatching(
        /^\[The cover\]\nApple pie\nby Ada\nServes four\n\[picture: red\]\n\n[^]*half\n\n\[One\]\nfirst$/,
      ),
    });
  });

  it.each([
    [
      'the pieces of a text that stand below one another as words',
      '<text x="5" y="9"><tspan x="5" y="9">Once upon</tspan><tspan x="5" dy="1.2em">a time</tspan><tspan x="5" y="40">there</tspan></text>',
      'Once upon a time there',
    ],
    [
      'the pieces of a line as parts of words',
      '<text y="9"><tspan x="0" y="9">W</tspan><tspan x="11.2" y="9">ebs</tspan><tspan x="30" dy="0">ite</tspan> H<tspan dy="3">2</tspan>O</text>',
      'Website H2O',
    ],
    [
      'letters below one another, on a curve and beside a line as parts of words',
      '<text><tspan x="0" y="0">日</tspan><tspan x="0" y="24">本</tspan><tspan x="0" y="48">語</tspan> </text>' +
        '<text><tspan x="0" y="10">He</tspan><tspan x="9" y="9.5">l</tspan><tspan x="14" y="9">lo</tspan> </text>' +
        '<text y="9"><tspan x="0" y="9">Web</tspan><tspan x="0" y="9.0">site</tspan></text>',
      '日本語\nHello\nWebsite',
    ],
    [
      'one title as its label',
      '<title>The map</title><title lang="id">Peta</title><metadata><dc:title>map.svg</dc:title></metadata>' +
        '<g><title>Harbour</title><text>Ships<title>Moored</title></text></g><defs><marker><title>Arrow</title></marker></defs>',
      '[The map]\nHarbour\nMoored\nShips',
    ],
    ['no title of a group as its label', '<g><title>Harbour</title><text>Ships</text></g>', 'Harbour\nShips'],
  ])('a drawing of a book has %s', async (_, content, text) => {
    const bytes = zip({
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf': '<package><item id="a" href="a.svg"/><itemref idref="a"/></package>',
      'a.svg': `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`,
    });
    expect(await read(bytes, 'zip')).toMatchObject({ text });
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
    const page = Buffer.from('<html><head><meta charset="windows-1252"></head><body>caf\xe9</body></html>', 'latin1');
    expect(await read(page, 'text', 'html')).not.toHaveProperty('isNamedOtherwise');
  });

  it('that is an archive beside the description of a book, or a folder of Visio, has its names', async () => {
    const description = '<package><metadata><title>A</title></metadata></package>';
    const one = '<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>';
    for (const [entries, text] of [
      [{ 'metadata.opf': description, 'a.epub': 'x' }, 'metadata.opf\na.epub'],
      [{ 'metadata.opf': '<package', 'a.epub': 'x' }, 'metadata.opf\na.epub'],
      [{ '1/b.opf': one, '1/a.xhtml': '<p>x', '2/b.opf': one }, '1/b.opf\n1/a.xhtml\n2/b.opf'],
      [{ 'visio/plan.txt': 'x' }, 'visio/plan.txt'],
    ] as const)
      expect(await read(zip(entries), 'zip')).toMatchObject({ text });
    const packed = { 'B.epub/b.opf': one, 'B.epub/a.xhtml': '<p>x', '__MACOSX/B.epub/._b.opf': 'x' };
    expect(await read(zip(packed), 'zip')).toMatchObject({ kind: 'EPUB book', text: 'x' });
  });

  it('that no reader knows is named', async () => {
    expect(await read(zip({ 'visio/document.xml': 'x' }), 'zip')).toEqual({
      problem: 'unknown',
      kind: 'Visio drawing',
    });
    expect(await read(ole({ 'Quill/QuillSub/CONTENTS': Buffer.from('x') }), 'ole')).toEqual({
      problem: 'unknown',
      kind: 'Publisher document',
    });
  });
});

it('the large first letter of a paragraph of RTF stands before the rest of its word', async () => {
  const rtf = '{\\rtf1 \\pard\\dropcapli2\\dropcapt1 O\\par \\pard nce upon\\par a time}';
  expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: 'Once upon\na time' });
});

it('a text of RTF that is there twice is read in Unicode', async () => {
  const rtf = '{\\rtf1 {\\upr{Zoll f?r}{\\*\\ud{Zoll f\\u252?r}}} Ende {\\stylesheet {\\upr{a}{\\*\\ud b}}}}';
  expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: 'Zoll für Ende' });
});

describe('a book', () => {
  const book = (chapter: Buffer | string, parts: Record<string, string> = {}) => {
    const entries = {
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf': '<package><item id="a" href="a.xhtml"/><itemref idref="a"/></package>',
      ...parts,
    };
    const texts = Object.entries(entries).map(([name, text]): [string, Uint8Array] => [name, Buffer.from(text)]);
    return Buffer.from(zipSync({ ...Object.fromEntries(texts), 'a.xhtml': Buffer.from(chapter) }));
  };

  it.each(['META-INF/rights.xml', 'META-INF/sinf.xml', 'META-INF/license.lcpl'])(
    'that is locked to an account, as %s says, is protected',
    async (path) => {
      expect(await read(book('<p>\0\x01</p>', { [path]: '{}' }), 'zip')).toMatchObject({ problem: 'encrypted' });
    },
  );

  it('has chapters in the encoding that they say', async () => {
    const chapter = iconv.encode('<?xml version="1.0" encoding="windows-1251"?><p>Глава</p>', 'windows-1251');
    expect(await read(book(chapter), 'zip')).toMatchObject({ text: 'Глава' });
  });
});

it('a document of Pages has the text of its preview', async () => {
  const preview = readFileSync(new URL('../../../test/files/inputs/made/text.pdf', import.meta.url));
  const bytes = zipSync({ 'Index/Document.iwa': Buffer.from('x'), 'QuickLook/Preview.pdf': preview });
  const shown = await read(Buffer.from(bytes), 'zip', 'pages');
  expect(shown).toMatchObject({ kind: 'Apple iWork document' });
  expect(shown).toHaveProperty('text', expect.stringContaining('[embedded PDF "Preview.pdf": page 1]\n'));
  expect(shown).not.toHaveProperty('isNamedOtherwise');
});
