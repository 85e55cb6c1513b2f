import { unzipSync, zipSync } from 'fflate';
import { presentation, read, rels, zip } from '../../../../test/files/made-documents.js';

describe('a presentation', () => {
  it('may have more paragraphs in a shape than a call has arguments', async () => {
    const bytes = presentation(`<p:sld><p:sp>${'<a:p><a:t>a</a:t></a:p>'.repeat(200_000)}</p:sp></p:sld>`);
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
    const show = presentation('<p:sld><p:oleObj/></p:sld>', [['vmlDrawing', 'd.vml']], {
      'show/d.vml': '<xml/>',
      'show/_rels/d.vml.rels': rels(['image', 'media/i.emf']),
    });
    const picture = Buffer.concat([head, y('Sum', 1), y('of', 1), y('Größe', 9)]);
    const bytes = Buffer.from(zipSync({ ...unzipSync(show), 'show/media/i.emf': new Uint8Array(picture) }));
    expect(await read(bytes, 'zip')).toMatchObject({ text: '[slide 1]\n[picture: Sum of\nGröße]' });
  });

  it('has comments and replies with their authors', async () => {
    const bytes = presentation('<p:sld/>', [['comments', 'c.xml']], {
      'show/_rels/main.xml.rels': rels(['slide', 's.xml'], ['authors', 'a.xml']),
      'show/a.xml':
        '<p188:authorLst><p188:author id="{1}" name="Ani"/><p188:author id="{2}" name="Budi"/></p188:authorLst>',
      'show/c.xml':
        '<p188:cmLst><p188:cm authorId="{1}"><p188:replyLst><p188:reply authorId="{2}"><a:p><a:t>Done</a:t></a:p></p188:reply></p188:replyLst>' +
        '<p188:txBody><a:p><a:t>Please </a:t><a:t>check</a:t></a:p><a:p><a:t>soon</a:t></a:p></p188:txBody></p188:cm></p188:cmLst>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[slide 1]\nComments:\nAni: Please check\nsoon\nBudi: Done',
    });
  });

  it('keeps each row of a table in a line', async () => {
    const cell = (text: string) => `<a:tc><a:p>${text}</a:p></a:tc>`;
    const row = cell('<a:t>two</a:t><a:br/><a:t>lines</a:t>') + cell('<a:t>b</a:t>');
    expect(await read(presentation(`<p:sld><a:tr>${row}</a:tr></p:sld>`), 'zip')).toMatchObject({
      text: '[slide 1]\ntwo lines\tb',
    });
  });

  it('marks hidden slides, and has tables, comments and the text of masters', async () => {
    const shape = (text: string, placeholder = '') =>
      `<p:sp><p:nvPr>${placeholder}</p:nvPr><a:p><a:t>${text}</a:t></a:p></p:sp>`;
    const slide = `<p:sld show="0">${shape('Plan')}<a:tr><a:tc><a:p><a:t>a</a:t></a:p></a:tc><a:tc><a:p><a:t>b</a:t></a:p></a:tc></a:tr></p:sld>`;
    const bytes = presentation(
      slide,
      [
        ['slideLayout', 'l.xml'],
        ['comments', 'c.xml'],
      ],
      {
        'show/l.xml': `<p:sldLayout>${shape('Click here', '<p:ph type="body"/>')}${shape('ACME')}</p:sldLayout>`,
        'show/c.xml': '<p:cmLst><p:cm><p:text>Ask Budi</p:text></p:cm></p:cmLst>',
      },
    );
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[slide 1, hidden]\nPlan\na\tb\nComments:\nAsk Budi\n\n[on the slide masters]\nACME',
    });
  });
});

describe('the paragraphs of a slide', () => {
  const slide = (body: string) => presentation(`<p:sld><p:sp><p:txBody>${body}</p:txBody></p:sp></p:sld>`);
  const r = (text: string, properties = '') => `<a:r>${properties}<a:t>${text}</a:t></a:r>`;
  const numbered = (type: string, text: string, more = '', level = 0) =>
    `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="${type}"${more}/></a:pPr>${r(text)}</a:p>`;

  it('have their numbers, which begin anew after a plain one, at another level and in another shape', async () => {
    const list =
      numbered('arabicPeriod', 'one') +
      numbered('alphaLcParenR', 'inner', '', 1) +
      numbered('alphaLcParenR', '', '', 1) +
      numbered('alphaLcParenR', 'other', '', 1) +
      numbered('arabicPeriod', 'two') +
      numbered('alphaLcParenR', 'anew', '', 1) +
      `<a:p>${r('plain')}</a:p>` +
      numbered('arabicPeriod', 'again') +
      numbered('romanUcParenBoth', 'other', ' startAt="4"') +
      numbered('ea1ChsPeriod', 'last') +
      numbered('arabicPlain', 'far', '', 1_000_000_000);
    const { text } = (await read(slide(list), 'zip')) as { text: string };
    expect(text.split('\n').slice(1)).toEqual([
      '1. one',
      'a) inner',
      'b) other',
      '2. two',
      'a) anew',
      'plain',
      '1. again',
      '(IV) other',
      '一. last',
      '1 far',
    ]);
  });

  it('have exponents, struck letters and characters of symbol fonts as they are shown', async () => {
    const body = `<a:p>${r('10')}${r('6', '<a:rPr baseline="30000"/>')}${r(' \uf06d', '<a:rPr><a:latin typeface="Symbol"/></a:rPr>')}${r('a', '<a:rPr baseline="-25000"/>')}${r(' 9', '<a:rPr strike="sngStrike"/>')}${r(' 8', '<a:rPr strike="noStrike"/>')}</a:p>`;
    expect(await read(slide(body), 'zip')).toMatchObject({ text: '[slide 1]\n10⁶ μa~~ 9~~ 8' });
  });
});

it('has the number of a slide in its field, whatever is stored', async () => {
  const bytes = presentation(
    '<p:sld><p:sp><a:p><a:r><a:t>Page </a:t></a:r><a:fld type="slidenum"><a:t>‹#›</a:t></a:fld></a:p></p:sp></p:sld>',
  );
  expect(await read(bytes, 'zip')).toMatchObject({ text: '[slide 1]\nPage 1' });
  const parts = unzipSync(bytes);
  const main = Buffer.from(parts['show/main.xml']!)
    .toString()
    .replace('<p:presentation', '<p:presentation firstSlideNum="7"');
  const other = Buffer.from(zipSync({ ...parts, 'show/main.xml': Buffer.from(main) }));
  expect(await read(other, 'zip')).toMatchObject({ text: '[slide 1]\nPage 7' });
});

it('names the sections of a presentation where they begin', async () => {
  const bytes = zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels(['officeDocument', 'main.xml']),
    'main.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/><p:sldId id="258" r:id="r3"/></p:sldIdLst>' +
      '<p:extLst><p14:sectionLst><p14:section name="Start &amp; plan"><p14:sldIdLst><p14:sldId id="256"/><p14:sldId id="257"/></p14:sldIdLst></p14:section>' +
      '<p14:section name="Empty"/><p14:section name="End"><p14:sldIdLst><p14:sldId id="258"/></p14:sldIdLst></p14:section></p14:sectionLst></p:extLst></p:presentation>',
    '_rels/main.xml.rels': rels(['slide', 'a.xml'], ['slide', 'b.xml'], ['slide', 'c.xml']),
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`${name}.xml`, `<p:sld><a:p><a:t>${name}</a:t></a:p></p:sld>`]),
    ),
  });
  expect(await read(bytes, 'zip')).toMatchObject({
    text: '[slide 1]\nSection: Start & plan\na\n\n[slide 2]\nb\n\n[slide 3]\nSection: End\nc',
  });
});

it('marks shapes that their author has hidden', async () => {
  const shape = (hidden: string, text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${hidden}/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const group = (hidden: string, inner: string) =>
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="g"${hidden}/></p:nvGrpSpPr>${inner}</p:grpSp>`;
  const shapes =
    shape(' hidden="1"', 'old price') +
    shape(' hidden="0"', 'price') +
    group(' hidden="1"', group('', shape('', 'inner')) + shape('', 'outer')) +
    group('', shape('', 'grouped'));
  expect(await read(presentation(`<p:sld>${shapes}</p:sld>`), 'zip')).toMatchObject({
    text: '[slide 1]\n[hidden: old price]\nprice\n[hidden: inner]\n[hidden: outer]\ngrouped',
  });
});
