import { strToU8, unzipSync, zipSync } from 'fflate';
import { p, packed, read, rels, word } from '../../../../test/files/made-documents.js';

describe('a Word document', () => {
  it.each([
    ['of Windows', (path: string) => path.replaceAll('/', '\\')],
    ['that are absolute', (path: string) => `/${path}`],
  ])('in an archive with paths %s is read', async (_, pathOf) => {
    const parts = unzipSync(word(p('text')));
    const bytes = Buffer.from(
      zipSync(Object.fromEntries(Object.entries(parts).map(([path, part]) => [pathOf(path), part]))),
    );
    expect(await read(bytes, 'zip')).toMatchObject({ kind: 'Word document', text: 'text' });
  });

  it.each(['utf16le', 'utf16be'])('in %s without a mark is read', async (encoding) => {
    const parts = unzipSync(word(p('naïve')));
    const main = Buffer.from(`<?xml version="1.0"?>${Buffer.from(parts['doc/main.xml']!).toString()}`, 'utf16le');
    parts['doc/main.xml'] = encoding === 'utf16le' ? main : main.swap16();
    expect(await read(Buffer.from(zipSync(parts)), 'zip')).toMatchObject({ text: 'naïve' });
  });

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

  it('has a heading that is longer than a label as text', async () => {
    const long = 'word '.repeat(60).trim();
    const bytes = word(p('Costs', '<w:outlineLvl w:val="0"/>') + p(long, '<w:outlineLvl w:val="0"/>'));
    expect(await read(bytes, 'zip')).toMatchObject({ text: `[Costs]\n${long}` });
  });

  it('goes on after a damaged document at a place', async () => {
    const bytes = word(p('before') + '<w:altChunk r:id="r1"/>' + p('after'), { 'doc/a.docx': 'no archive' }, [
      ['aFChunk', 'a.docx'],
    ]);
    const result = await read(bytes, 'zip');
    expect(result).toMatchObject({ text: 'before\n\nafter' });
    expect(result).not.toHaveProperty('isDamaged');
  });

  it('has what its vector pictures draw: tables that were pasted, equations, but not other objects with a reader', async () => {
    const text = 'Sum 42';
    const head = Buffer.alloc(18);
    head.writeUInt16LE(1, 0);
    head.writeUInt16LE(9, 2);
    const draw = Buffer.alloc(12 + text.length);
    draw.writeUInt32LE(draw.length / 2, 0);
    draw.writeUInt16LE(0x0521, 4);
    draw.writeUInt16LE(text.length, 6);
    draw.write(text, 8, 'latin1');
    const object = (program: string) =>
      `<w:object><v:shape><v:imagedata r:id="r1"/></v:shape><o:OLEObject ProgID="${program}" r:id="r2"/></w:object>`;
    const picture = '<w:drawing><a:blip r:embed="r1"/></w:drawing>';
    const runs = [picture, object('Equation.3'), object('Excel.Sheet.8')].map((one) => `<w:p><w:r>${one}</w:r></w:p>`);
    const bytes = word(runs.join(''), { 'doc/p.wmf': Buffer.concat([head, draw]).toString('latin1') }, [
      ['image', 'p.wmf'],
    ]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[picture: Sum 42] \n [picture: Sum 42]' });
  });

  it('has a web archive in its place, as programs without a word processor write whole documents', async () => {
    const archive =
      'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n' +
      'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Quarterly plan</p>\r\n--b--\r\n';
    const bytes = word('<w:altChunk r:id="r1"/>', { 'doc/a.mht': archive }, [['aFChunk', 'a.mht']]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[embedded e-mail "a.mht"]\nQuarterly plan' });
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
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[1][i][2][1]\n\n[footnotes]\n[2] five' });
  });

  it('keeps each row of a table in a line', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r>${text}</w:r></w:p></w:tc>`;
    const row = cell('<w:t>two</w:t><w:br/><w:t>lines</w:t>') + cell('<w:t>a</w:t><w:tab/><w:t>b</w:t>');
    expect(await read(word(`<w:tbl><w:tr>${row}</w:tr></w:tbl>`), 'zip')).toMatchObject({ text: 'two lines \ta b' });
  });

  it('has the days and percentages of a chart as they are shown', async () => {
    const values = (part: string, format: string, ...numbers: number[]) =>
      `<c:${part}><c:numCache><c:formatCode>${format}</c:formatCode>${numbers
        .map((number, index) => `<c:pt idx="${index}"><c:v>${number}</c:v></c:pt>`)
        .join('')}</c:numCache></c:${part}>`;
    const chart =
      `<c:chartSpace><c:ser>${values('cat', 'mmm\\-yy', 45_292, 45_323)}${values('val', '0%', 0.45, 0.555)}</c:ser>` +
      `<c:ser>${values('val', '#,##0', 1234.5, 2)}</c:ser></c:chartSpace>`;
    const bytes = word('<w:p><c:chart r:id="r1"/></w:p>', { 'doc/c.xml': chart }, [['chart', 'c.xml']]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'Jan-24\t45%\t1234.5\nFeb-24\t55.5%\t2' });
  });

  it('has the marks of its notes as they are shown', async () => {
    const bytes = word(
      '<w:p><w:r><w:t>one</w:t><w:footnoteReference w:id="2" w:customMarkFollows="1"/><w:t>*</w:t></w:r>' +
        '<w:r><w:t> two</w:t><w:footnoteReference w:id="3"/></w:r><w:r><w:t> three</w:t><w:endnoteReference w:id="2"/></w:r></w:p>',
      {
        'doc/f.xml': `<w:footnotes><w:footnote w:id="2">${p('* own')}</w:footnote><w:footnote w:id="3">${p('counted')}</w:footnote></w:footnotes>`,
        'doc/e.xml': `<w:endnotes><w:endnote w:id="2">${p('last')}</w:endnote></w:endnotes>`,
        'doc/s.xml':
          '<w:settings><w:footnotePr><w:numFmt w:val="upperLetter"/><w:numStart w:val="3"/><w:footnote w:id="-1"/></w:footnotePr>' +
          '<w:endnotePr><w:numFmt w:val="decimal"/></w:endnotePr></w:settings>',
      },
      [
        ['footnotes', 'f.xml'],
        ['endnotes', 'e.xml'],
        ['settings', 's.xml'],
      ],
    );
    expect(await read(bytes, 'zip')).toMatchObject({
      text: 'one* two[C] three[1]\n\n[footnotes]\n* own\n[C] counted\n\n[endnotes]\n[1] last',
    });
  });

  it('has the result of a condition without what it compares', async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const text = (shown: string) => `<w:r><w:t>${shown}</w:t></w:r>`;
    const inner = `${mark('begin')}<w:r><w:instrText>MERGEFIELD Sex</w:instrText></w:r>${mark('separate')}${text('f')}${mark('end')}`;
    const condition =
      `${mark('begin')}<w:r><w:instrText>IF </w:instrText></w:r>${inner}<w:r><w:instrText> = "f" "Ms" "Mr"</w:instrText></w:r>` +
      `${mark('separate')}${text('Ms')}${mark('end')}`;
    expect(await read(word(`<w:p>${text('Dear ')}${condition}${text(' Ani')}</w:p>`), 'zip')).toMatchObject({
      text: 'Dear Ms Ani',
    });
    const open = `<w:p>${mark('begin')}${inner}</w:p>${p('after')}`;
    expect(await read(word(open), 'zip')).toMatchObject({ text: 'after' });
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

  it('has the text of WordArt and watermarks', async () => {
    const art = '<w:p><w:r><w:pict><v:shape><v:textpath string="CONFIDENTIAL"/></v:shape></w:pict></w:r></w:p>';
    const bytes = word(p('text'), { 'doc/h.xml': `<w:hdr>${art}${p('Plan')}</w:hdr>` }, [['header', 'h.xml']]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'text\n\n[headers]\nCONFIDENTIAL\n\nPlan' });
  });

  it('keeps the columns of rows that begin later than the others', async () => {
    const row = (properties: string, ...cells: string[]) =>
      `<w:tr><w:trPr>${properties}</w:trPr>${cells.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join('')}</w:tr>`;
    const later = '<w:gridBefore w:val="2"/><w:trPrChange><w:trPr><w:gridBefore w:val="1"/></w:trPr></w:trPrChange>';
    const rows = row('', 'a', 'b', 'c') + row(later, 'C') + row('<w:gridBefore w:val="0"/>', 'A');
    expect(await read(word(`<w:tbl>${rows}</w:tbl>`), 'zip')).toMatchObject({ text: 'a \tb \tc \t\n\t\tC \t\nA' });
  });

  it('marks hidden text, and leaves out deleted text', async () => {
    const hidden =
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>aside</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>';
    expect(await read(word(hidden), 'zip')).toMatchObject({ text: '[hidden: aside]' });
  });
});

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

describe('the letters of a Word document', () => {
  const r = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const above = '<w:vertAlign w:val="superscript"/>';
  const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;

  it.each([
    [r('10') + r('6', above) + r(' m') + r('2', above), '10⁶ m²'],
    [r('1') + r('st', above) + r(', CO') + r('2', '<w:vertAlign w:val="subscript"/>'), '1st, CO2'],
    [r('old', '<w:strike/>') + r('er', '<w:dstrike w:val="1"/>') + r(' new', '<w:strike w:val="0"/>'), '~~older~~ new'],
    [r('5 \uf06dm', font('Symbol')) + r(' \uf0fe', font('Wingdings')), '5 μm ☑'],
    ['<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>' + r(' no'), '☐ no'],
    ['<w:r><w:sym w:font="Symbol" w:char="F0B3"/><w:sym w:font="Arial" w:char="2713"/></w:r>', '≥✓'],
    [
      `<w:r><w:ruby><w:rubyPr/><w:rt>${r('とうきょう')}</w:rt><w:rubyBase>${r('東京')}</w:rubyBase></w:ruby></w:r>${r('へ')}`,
      '東京(とうきょう)へ',
    ],
  ])('are read as they are shown: %#', async (runs, text) => {
    expect(await read(word(`<w:p>${runs}</w:p>`), 'zip')).toMatchObject({ text });
  });

  it('keep their columns below cells that cover several', async () => {
    const cell = (text: string, span = '') => `<w:tc><w:tcPr>${span}</w:tcPr>${p(text)}</w:tc>`;
    const table =
      `<w:tbl><w:tr>${cell('Rain', '<w:gridSpan w:val="2"/>')}${cell('Sun')}</w:tr>` +
      `<w:tr>${cell('May')}${cell('June')}${cell('July')}</w:tr></w:tbl>`;
    const { text } = (await read(word(table), 'zip')) as { text: string };
    expect(text.replaceAll(' \t', '\t')).toBe('Rain\t\tSun\t\nMay\tJune\tJuly');
  });

  it('have numbers of lists as East Asia writes them', async () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="9"/><w:numFmt w:val="chineseCountingThousand"/>' +
      '<w:lvlText w:val="第%1条"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>';
    const item = p('甲方', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
    const bytes = word(item + item, { 'doc/numbering.xml': numbering }, [['numbering', 'numbering.xml']]);
    expect(await read(bytes, 'zip')).toMatchObject({ text: '第九条 甲方\n第十条 甲方' });
  });
});

it('a comment names the passage that it is about', async () => {
  const range = (kind: string, id: string) => `<w:commentRange${kind} w:id="${id}"/>`;
  const comment = (id: string, author: string, text: string) =>
    `<w:comment w:id="${id}" w:author="${author}">${p(text)}</w:comment>`;
  const body =
    `<w:p>${range('Start', '0')}<w:r><w:t>ten per </w:t></w:r>${range('Start', '1')}<w:r><w:t>cent</w:t></w:r>${range('End', '0')}</w:p>` +
    `${p('of all')}${range('End', '1')}<w:p>${range('Start', '2')}<w:r><w:t>${'long '.repeat(60)}</w:t></w:r>${range('End', '2')}</w:p>`;
  const comments = [
    comment('0', 'Ani', 'Too much?'),
    comment('1', '', 'Why?'),
    comment('2', 'Budi', 'Shorter.'),
    comment('3', 'Budi', 'And the rest?'),
  ].join('');
  const bytes = word(body, { 'doc/c.xml': `<w:comments>${comments}</w:comments>` }, [['comments', 'c.xml']]);
  const { text } = (await read(bytes, 'zip')) as { text: string };
  expect(text.split('[comments]\n')[1]).toBe(
    `Ani on “ten per cent”: Too much?\non “cent of all”: Why?\nBudi on “${'long '.repeat(24)}…”: Shorter.\nBudi: And the rest?`,
  );
});

it('letters that are hidden or struck through by their style have marks', async () => {
  const style = (type: string, id: string, properties: string) =>
    `<w:style w:type="${type}" w:styleId="${id}"><w:rPr>${properties}</w:rPr></w:style>`;
  const styles = [
    style('character', 'Secret', '<w:vanish/>'),
    '<w:style w:styleId="Inner"><w:basedOn w:val="Secret"/></w:style>',
    style('character', 'Gone', '<w:strike/>'),
    style('paragraph', 'Notes', '<w:vanish/>'),
  ].join('');
  const run = (text: string, properties: string) => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const body =
    `<w:p>${run('a', '<w:rStyle w:val="Inner"/>')}${run('b', '<w:rStyle w:val="Gone"/>')}${run('c', '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>')}</w:p>` +
    p('d', '<w:pStyle w:val="Notes"/>');
  const bytes = word(body, { 'doc/styles.xml': `<w:styles>${styles}</w:styles>` }, [['styles', 'styles.xml']]);
  expect(await read(bytes, 'zip')).toMatchObject({ text: '[hidden: a]~~b~~c\n[hidden: d]' });
});

it('the large first letter of a paragraph stands before the rest of its word', async () => {
  const body =
    p('O', '<w:framePr w:dropCap="drop" w:lines="3"/>') + p('nce upon a time') + p('a frame', '<w:framePr/>');
  expect(await read(word(body), 'zip')).toMatchObject({ text: 'Once upon a time\na frame' });
});
