import { read, zip } from '../../../../test/files/made-documents.js';

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

  it('has the authors of remarks, and readings of Japanese words', async () => {
    const body =
      '<text:p>so<office:annotation><dc:creator>Ani</dc:creator><dc:date>2026-01-02</dc:date><meta:creator-initials>A</meta:creator-initials><text:p>why?</text:p></office:annotation></text:p>' +
      '<text:p><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby><text:ruby><text:ruby-base>都</text:ruby-base><text:ruby-text/></text:ruby></text:p>';
    expect(await read(odf(body, 'text'), 'zip')).toMatchObject({ text: 'so [comment: Ani: why?]\n東京(とうきょう)都' });
  });

  it('has a heading that is longer than a label as text', async () => {
    const long = 'word '.repeat(60).trim();
    const body = `<text:h>Costs</text:h><text:h>${long}</text:h><text:p>rent</text:p>`;
    expect(await read(odf(body, 'text'), 'zip')).toMatchObject({ text: `[Costs]\n${long}\nrent` });
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

  it.each(['string', 'date', 'time', 'boolean'])(
    'of sheets has values that are stored without a text: %s',
    async (type) => {
      const cell = `<table:table-cell office:value-type="${type}" office:${type}-value="true"/>`;
      const body = `<table:table table:name="Plan"><table:table-row>${cell}</table:table-row></table:table>`;
      expect(await read(odf(body, 'spreadsheet'), 'zip')).toMatchObject({ text: '[sheet "Plan"]\ntrue' });
    },
  );

  it('of sheets names hidden columns before the first row of their sheet', async () => {
    const column = (attributes: string) => `<table:table-column ${attributes}/>`;
    const hidden = 'table:visibility="collapse"';
    const rows = '<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>';
    const columns = column('') + column(`${hidden} table:number-columns-repeated="2"`) + column('') + column(hidden);
    const body =
      `<table:table table:name="Plan">${columns}<table:table-row/>${rows}${rows}</table:table>` +
      `<table:table table:name="Next">${column('')}${rows}</table:table>`;
    expect(await read(odf(body, 'spreadsheet'), 'zip')).toMatchObject({
      text: '[sheet "Plan"]\n[hidden columns: B:C, E]\n1\n1\n\n[sheet "Next"]\n1',
    });
  });

  it('has the fields of its forms with their values', async () => {
    const form = (fields: string) => `<office:forms><form:form form:name="F">${fields}</form:form></office:forms>`;
    const fields =
      '<form:text form:name="Applicant" form:current-value="Ani Wijaya"/><form:text form:name="Empty"/>' +
      '<form:textarea form:name="Reason" form:current-value="Moved house"><text:p>Moved house</text:p></form:textarea>' +
      '<form:textarea form:name="Note"><text:p>By hand</text:p></form:textarea><form:button form:label="Send"/>' +
      '<form:checkbox form:label="Married" form:current-state="checked"/><form:checkbox form:name="Veteran"/>' +
      '<form:radio form:label="Flat" form:current-selected="true"/><form:date form:name="Since" form:value="2026-11-28"/>' +
      '<form:listbox><form:option form:label="Surabaya" form:current-selected="true"/><form:option form:label="Bandung"/></form:listbox>';
    const body = `${form(fields)}<text:p>Form of the city</text:p>`;
    expect(await read(odf(body, 'text'), 'zip')).toMatchObject({
      text: 'Applicant: Ani Wijaya\nReason: Moved house\nBy hand\n[x] Married\n[ ] Veteran\n[x] Flat\nSince: 2026-11-28\nSurabaya\nForm of the city',
    });
    expect(await read(odf(body.replace('Ani', 'Budi'), 'spreadsheet'), 'zip')).toMatchObject({
      text: expect.stringContaining('Budi') as string,
    });
  });

  it.each(['collapse', 'filter'])('of sheets has a mark before rows that are hidden: %s', async (visibility) => {
    const row = (attributes: string, text: string) =>
      `<table:table-row ${attributes}><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const body = `<table:table table:name="Plan">${row(`table:visibility="${visibility}"`, '1')}${row('', '2')}</table:table>`;
    expect(await read(odf(body, 'spreadsheet'), 'zip')).toMatchObject({ text: '[sheet "Plan"]\n[hidden row] 1\n2' });
  });

  it('has the numbers of its lists and headings, and bullets', async () => {
    const level = (number: number, format: string, more = '') =>
      `<text:list-level-style-number text:level="${number}" style:num-format="${format}" style:num-suffix="." ${more}/>`;
    const styles =
      '<office:document-styles><office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/></text:outline-style>' +
      `<text:list-style style:name="N">${level(1, '1', 'text:start-value="3"')}${level(2, 'a', 'text:display-levels="2"')}</text:list-style>` +
      '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>' +
      '<style:style style:name="P" style:list-style-name="B"/><style:style style:name="Q" style:parent-style-name="P"/></office:styles></office:document-styles>';
    const item = (text: string, inner = '') => `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`;
    const body =
      '<text:h text:outline-level="1">Costs</text:h><text:h text:outline-level="1" text:is-list-header="true">Plain</text:h>' +
      `<text:list text:style-name="N">${item('rent', `<text:list>${item('flat')}${item('')}</text:list><text:p>more</text:p>`)}${item('food')}</text:list>` +
      `<text:list text:style-name="N" text:continue-numbering="true">${item('fun')}</text:list>` +
      `<text:list text:style-name="N">${item('again')}<text:list-item text:start-value="9"><text:p>nine</text:p></text:list-item></text:list>` +
      '<text:list><text:list-item><text:p text:style-name="Q">dot</text:p></text:list-item></text:list>';
    const bytes = zip({
      'styles.xml': styles,
      'content.xml': `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[1 Costs]\n\n\n[Plain]\n3. rent\n3.a. flat\nmore\n4. food\n5. fun\n3. again\n9. nine\n- dot',
    });
  });

  it('whose lists have levels and numbers that are none is read', async () => {
    const level = (value: string, more = '') =>
      `<text:list-level-style-number text:level="${value}" style:num-format="1" text:start-value="x" ${more}/>`;
    const bytes = zip({
      'styles.xml': `<s><text:list-style style:name="L">${level('1')}${level('99999999', 'text:display-levels="99999999"')}${level('x')}</text:list-style></s>`,
      'content.xml':
        '<office:document-content><office:body><office:text><text:list text:style-name="L"><text:list-item text:start-value="y">' +
        '<text:p>one</text:p></text:list-item></text:list><text:h text:outline-level="1e9">big</text:h></office:text></office:body></office:document-content>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({ text: '1 one\n\n[big]\n' });
  });

  it('with macros, whose parts name a document type, is read', async () => {
    const type = '<!DOCTYPE library:libraries PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "libraries.dtd">';
    const bytes = zip({
      'Basic/script-lc.xml': `<?xml version="1.0"?>${type}<library:libraries/>`,
      'content.xml':
        '<office:document-content><office:body><office:text><text:p>plan</text:p></office:text></office:body></office:document-content>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'plan' });
  });

  it('of slides has the footers that it declares once', async () => {
    const body =
      '<presentation:footer-decl>© Ani</presentation:footer-decl><draw:page><draw:frame><text:p>hi</text:p></draw:frame></draw:page>';
    expect(await read(odf(body, 'presentation'), 'zip')).toMatchObject({ text: '© Ani\n\n[slide 1]\nhi' });
  });

  it('has what stands on its master pages, without prompts', async () => {
    const frame = (attributes: string, text: string) =>
      `<draw:frame ${attributes}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const body = `<draw:page>${frame('presentation:class="title"', 'Plan')}${frame('presentation:placeholder="true"', 'add text')}</draw:page>`;
    const master = `${frame('presentation:class="title"', 'edit the title')}${frame('presentation:class="footer"', 'Internal')}`;
    const bytes = zip({
      'content.xml': `<office:document-content><office:body><office:presentation>${body}</office:presentation></office:body></office:document-content>`,
      'styles.xml': `<office:document-styles><office:master-styles><style:master-page>${master}</style:master-page></office:master-styles></office:document-styles>`,
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[slide 1]\nPlan\n\n[headers and footers]\nInternal',
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

describe('an object inside of a document of LibreOffice', () => {
  const frame = (content: string) => `<draw:frame>${content}</draw:frame>`;
  const object = (name: string) => frame(`<draw:object xlink:href="./${name}"/><draw:image/>`);
  const formula =
    '<math:math><math:semantics><math:mi>x</math:mi><math:mn>2</math:mn><math:annotation>x^2</math:annotation></math:semantics></math:math>';

  const readWith = async (body: string, objects: Record<string, string>) => {
    const parts = Object.entries(objects).map(([name, content]) => [`${name}/content.xml`, content]);
    const text = `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
    const result = await read(zip({ 'content.xml': text, ...(Object.fromEntries(parts) as object) }), 'zip');
    return 'text' in result ? result.text : result.problem;
  };

  it('that is a formula stands in its line as its author wrote it', async () => {
    const body = `<text:p>so ${object('Object 1')}, and ${frame('<draw:object><math:math><math:mi>y</math:mi></math:math></draw:object>')} too</text:p>`;
    expect(await readWith(body, { 'Object 1': formula })).toBe('so x^2, and y too');
  });

  it('that is a chart has its titles and its table below the line, once', async () => {
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const row = (...texts: string[]) => `<table:table-row>${texts.map(cell).join('')}</table:table-row>`;
    const chart =
      '<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title>' +
      `<table:table>${row('', '2026')}${row('Pen', '42')}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const body = `<text:p>before ${object('Object 1')} after</text:p><text:p>${object('Object 1')}end</text:p>`;
    expect(await readWith(body, { 'Object 1': chart })).toBe('before\nSales\n\t2026\nPen\t42\n after\nend');
  });

  it('that is a chart in a cell stands below its sheet, without the names of its cells', async () => {
    const cell = (text: string) => `<table:table-cell>${text}</table:table-cell>`;
    const point = '<text:p>42</text:p><draw:g><svg:desc>Data.B2</svg:desc></draw:g>';
    const chart =
      '<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title>' +
      `<table:table><table:table-row>${cell('<text:p>Pen</text:p>')}${cell(point)}</table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const rows =
      `<table:table-row>${cell(object('Object 1') + '<text:p>a</text:p>')}${cell('<text:p>b<text:tab/>c<text:line-break/>d</text:p>')}</table:table-row>` +
      `<table:table-row>${cell('<text:p>e</text:p>')}</table:table-row>`;
    const bytes = zip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="One">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
      'styles.xml':
        '<office:document-styles><office:master-styles><style:header><text:p>Plan <text:date>00/00/0000</text:date></text:p></style:header></office:master-styles></office:document-styles>',
      'Object 1/content.xml': chart,
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[sheet "One"]\na\tb c d\ne\n\nSales\nPen\t42\n\n[headers and footers]\nPlan',
    });
  });

  it('that is broken or missing leaves the text', async () => {
    const body = `<text:p>before ${object('Object 1')}${object('Object 2')}after</text:p>`;
    expect(await readWith(body, { 'Object 1': '<math><b></math>' })).toBe('before\nafter');
  });
});

describe('a document of LibreOffice in one XML', () => {
  const flat = (type: string, body: string) =>
    Buffer.from(
      `<?xml version="1.0"?><office:document xmlns:office="o" office:mimetype="application/vnd.oasis.opendocument.${type}">` +
        '<office:automatic-styles><style:style style:name="H"><style:text-properties text:display="none"/></style:style></office:automatic-styles>' +
        '<office:master-styles><style:master-page><style:header><text:p>at the top</text:p></style:header></style:master-page></office:master-styles>' +
        `<office:body><office:${type}>${body}</office:${type}></office:body></office:document>`,
    );

  it('has its headers and footers, and marks letters that are not shown', async () => {
    const body = '<text:p>a <text:span text:style-name="H">secret</text:span></text:p>';
    expect(await read(flat('text', body), 'odf')).toMatchObject({
      text: 'a [hidden: secret]\n\n[headers and footers]\nat the top',
    });
  });

  it('has a chart inside of a sheet in the section of the sheet', async () => {
    const row = (text: string) =>
      `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
    const chart = `<draw:object><office:document><office:body><office:chart><table:table>${row('b')}</table:table></office:chart></office:body></office:document></draw:object>`;
    const body = `<table:table table:name="One">${row('a')}<table:shapes>${chart}</table:shapes></table:table>`;
    expect(await read(flat('spreadsheet', body), 'odf')).toMatchObject({
      text: '[sheet "One"]\na\nb\n\n[headers and footers]\nat the top',
    });
  });

  it.each([
    ['text', 'fodt'],
    ['spreadsheet', 'fods'],
    ['presentation', 'fodp'],
  ])('is of the kind that its name says: %s', async (type, extension) => {
    const result = await read(flat(type, '<text:p>a</text:p>'), 'odf', extension);
    expect('isNamedOtherwise' in result && result.isNamedOtherwise).toBe(false);
    expect(await read(flat(type, '<text:p>a</text:p>'), 'odf', 'docx')).toMatchObject({ isNamedOtherwise: true });
  });
});

it('keeps exponents apart from their numbers, and counts as East Asia does', async () => {
  const xml =
    '<office:document><office:automatic-styles><style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>' +
    '<style:style style:name="T4"><style:text-properties style:font-name="Wingdings"/></style:style><style:style style:name="T3"><style:text-properties style:text-line-through-style="solid"/></style:style><style:style style:name="T2"><style:text-properties style:text-position="sub 58%"/></style:style>' +
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="一, 二, 三, ..." style:num-suffix="、"/></text:list-style>' +
    '</office:automatic-styles><office:body><office:text><text:p>10<text:span text:style-name="T1"><text:span text:style-name="T2x">6</text:span></text:span> H' +
    '<text:span text:style-name="T2">2</text:span>O <text:span text:style-name="T3">old</text:span> <text:span text:style-name="T4">\uf0fe</text:span></text:p><text:list text:style-name="L"><text:list-item><text:p>甲</text:p></text:list-item></text:list>' +
    '</office:text></office:body></office:document>';
  expect(await read(Buffer.from(xml), 'odf')).toMatchObject({ text: '10⁶ H2O ~~old~~ ☑\n一、 甲' });
});

it('has the fields of dates and authors in its text, dates of remarks left out', async () => {
  const xml =
    '<office:document><office:body><office:text><text:p>Bern, <text:date text:fixed="true">20. November 2026</text:date>, <text:author-name>Ani</text:author-name>' +
    '<office:annotation><dc:creator>Budi</dc:creator><dc:date>2026-11-21T10:00:00</dc:date><text:p>why</text:p></office:annotation>' +
    '<office:annotation><dc:creator/><text:p>so</text:p></office:annotation></text:p>' +
    '</office:text></office:body></office:document>';
  expect(await read(Buffer.from(xml), 'odf')).toMatchObject({
    text: 'Bern, 20. November 2026, Ani [comment: Budi: why]  [comment: so]',
  });
});

it('has the numbers of slides and pages in its text', async () => {
  const xml = (kind: string, body: string) =>
    Buffer.from(
      `<office:document><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
    );
  const page =
    '<draw:page><draw:frame><text:p>Page <text:page-number>&lt;number&gt;</text:page-number></text:p></draw:frame></draw:page>';
  expect(await read(xml('presentation', page + page), 'odf')).toMatchObject({
    text: '[slide 1]\nPage 1\n\n[slide 2]\nPage 2',
  });
  const text = '<text:p>see page <text:page-number>7</text:page-number></text:p>';
  expect(await read(xml('text', text), 'odf')).toMatchObject({ text: 'see page 7' });
});

it('marks sections and paragraphs that are not shown', async () => {
  const bytes = Buffer.from(
    '<office:document xmlns:office="o"><office:automatic-styles><style:style style:name="P"><style:text-properties text:display="none"/></style:style></office:automatic-styles>' +
      '<office:body><office:text><text:section text:name="a" text:display="none"><text:p>one</text:p><text:section text:name="b"><text:p>two</text:p></text:section></text:section>' +
      '<text:section text:name="c" text:display="condition" text:is-hidden="true"><text:p>three</text:p></text:section>' +
      '<text:section text:name="d" text:display="condition"><text:p>shown</text:p></text:section><text:p text:style-name="P">four</text:p><text:p>five</text:p></office:text></office:body></office:document>',
  );
  expect(await read(bytes, 'odf')).toMatchObject({
    text: '[hidden: one]\n[hidden: two]\n[hidden: three]\nshown\n[hidden: four]\nfive',
  });
});
