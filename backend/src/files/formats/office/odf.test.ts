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

  it('that is encrypted is protected', async () => {
    const bytes = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': 'x',
      'META-INF/manifest.xml': '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
    });
    expect(await read(bytes, 'zip')).toMatchObject({ problem: 'encrypted' });
  });
});
