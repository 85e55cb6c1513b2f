import { utils, write } from '@e965/xlsx';
import { p, presentation, read, rels, word, zip } from '../../../test/files/made-documents.js';

const link = (id: string, target: string) =>
  `<Relationship Id="${id}" Type="x/hyperlink" Target="${target}" TargetMode="External"/>`;
const linked = (...links: string[]) => `<Relationships>${links.join('')}</Relationships>`;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (instruction: string, result: string) =>
  `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}${run(result)}${mark('end')}`;

describe('the address behind a link stands behind its text', () => {
  it('in DOCX, for links by relationship and by field', async () => {
    const body =
      `<w:p>${run('Read ')}<w:hyperlink r:id="h1">${run('our ')}${run('plan')}</w:hyperlink>${run(' now.')}</w:p>` +
      `<w:p><w:hyperlink r:id="h2">${run('www.example.com')}</w:hyperlink>${run(' ')}<w:hyperlink w:anchor="part">${run('below')}</w:hyperlink></w:p>` +
      `<w:p>${field(' HYPERLINK "https://example.com/field" \\o "Tip" ', 'a field')}${run(' and ')}${field(' HYPERLINK \\l "part" ', 'a part')}</w:p>` +
      `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;mailto:ani@example.com&quot; ">${run('Ani')}</w:fldSimple></w:p>` +
      `<w:p><w:hyperlink r:id="h3">${run('run')}</w:hyperlink></w:p>`;
    const bytes = word(body, {
      'doc/_rels/main.xml.rels': linked(
        link('h1', 'https://example.com/plan'),
        link('h2', 'http://www.example.com/'),
        link('h3', 'javascript:alert(1)'),
      ),
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: [
        'Read our plan <https://example.com/plan> now.',
        'www.example.com below',
        'a field <https://example.com/field> and a part',
        'Ani <ani@example.com>',
        'run',
      ].join('\n'),
    });
  });

  it('in DOCX, in a field without an end, which takes no other text', async () => {
    const open = `${mark('begin')}<w:r><w:instrText>HYPERLINK "https://example.com"</w:instrText></w:r>${mark('separate')}`;
    expect(await read(word(`<w:p>${open}${run('one')}</w:p>${p('two')}`), 'zip')).toMatchObject({ text: 'one\ntwo' });
  });

  it('in PPTX, of letters in several runs and of a shape', async () => {
    const letters = (text: string, id = '') =>
      `<a:r><a:rPr>${id && `<a:hlinkClick r:id="${id}"/>`}</a:rPr><a:t>${text}</a:t></a:r>`;
    const slide =
      `<p:sld><p:sp><p:txBody><a:p>${letters('See ')}${letters('our', 'h1')}${letters(' plan', 'h1')}${letters(' or ')}${letters('his', 'h2')}</a:p></p:txBody></p:sp>` +
      `<p:sp><p:nvSpPr><p:cNvPr id="4" name="Button"><a:hlinkClick r:id="h1"/></p:cNvPr></p:nvSpPr><p:txBody><a:p>${letters('Start')}</a:p></p:txBody></p:sp></p:sld>`;
    const bytes = presentation(slide, [], {
      'show/_rels/s.xml.rels': linked(link('h1', 'https://example.com/plan'), link('h2', 'https://example.org')),
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[slide 1]\nSee our plan <https://example.com/plan> or his <https://example.org>\nStart <https://example.com/plan>',
    });
  });

  it.each(['xlsx', 'xlsb', 'xls'] as const)('in a workbook of %s', async (bookType) => {
    const sheet = utils.aoa_to_sheet([['Report', 'https://example.com/b']]);
    sheet['A1'].l = { Target: 'https://example.com/report' };
    sheet['B1'].l = { Target: 'https://example.com/b' };
    const bytes = Buffer.from(write(utils.book_new(sheet, 'Plan'), { bookType, type: 'buffer' }) as Buffer);
    expect(await read(bytes, bookType === 'xls' ? 'ole' : 'zip')).toMatchObject({
      text: '[sheet "Plan"]\nReport <https://example.com/report>\thttps://example.com/b',
    });
  });

  it('in a workbook, of a formula, and of a range without a name', async () => {
    const bytes = zip({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': rels(['officeDocument', 'xl/workbook.xml']),
      'xl/workbook.xml': '<workbook><sheets><sheet name="Plan" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': rels(['worksheet', 'sheet.xml']),
      'xl/sheet.xml':
        '<x:worksheet xmlns:x="x"><x:sheetData><x:row r="2"><x:c r="A2" t="str"><x:f>HYPERLINK("https://example.com/f","Formula")</x:f><x:v>Formula</x:v></x:c>' +
        '<x:c t="inlineStr"><x:is><x:t>Range</x:t></x:is></x:c></x:row></x:sheetData>' +
        '<x:hyperlinks><x:hyperlink ref="B2:C3" r:id="h1"/><x:hyperlink ref="A9" location="Plan!A1"/></x:hyperlinks></x:worksheet>',
      'xl/_rels/sheet.xml.rels': linked(link('h1', 'https://example.com/range')),
    });
    expect(await read(bytes, 'zip')).toMatchObject({
      text: '[sheet "Plan"]\nFormula <https://example.com/f>\tRange <https://example.com/range>',
    });
  });

  it('in ODF', async () => {
    const body =
      '<office:text><text:p>Read <text:a xlink:href="https://example.com/plan"><text:span>our</text:span> plan</text:a>, <text:a xlink:href="#part">below</text:a>.</text:p></office:text>';
    const bytes = Buffer.from(`<office:document xmlns:office="o"><office:body>${body}</office:body></office:document>`);
    expect(await read(bytes, 'odf')).toMatchObject({ text: 'Read our plan <https://example.com/plan>, below.' });
  });

  it('in RTF', async () => {
    const rtf =
      '{\\rtf1 Read {\\field{\\*\\fldinst {\\b HYPERLINK "https://example.com/plan"}}{\\fldrslt {\\ul our} plan}}, ' +
      '{\\field{\\*\\fldinst HYPERLINK "https://example.com/b"}{\\fldrslt example.com/b}}, {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}.}';
    expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({
      text: 'Read our plan <https://example.com/plan>, example.com/b, 3.',
    });
  });

  it('in a mail, but not in places of a page', async () => {
    const mail =
      'From: ani@example.com\nContent-Type: text/html\n\n<p>Read <a href="https://example.com/plan"><b>our</b> plan</a>, <a href="#x">below</a> or ' +
      '<a href="https://example.com/">example.com</a>. <a href="https://example.com/logo"><img src="x"></a></p>';
    expect(await read(Buffer.from(mail), 'mail')).toMatchObject({
      text: 'From: ani@example.com\n\nRead our plan <https://example.com/plan>, below or example.com.',
    });
  });

  it('in PDF, in a line of its own', async () => {
    const content = 'BT /F1 10 Tf 20 250 Td (Read our plan) Tj 0 -20 Td (and https://example.com/b) Tj ET';
    const annotation = (rectangle: string, address: string) =>
      `<</Type/Annot/Subtype/Link/Rect[${rectangle}]/A<</S/URI/URI(${address})>>>>`;
    const bytes = [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/Annots[' +
        annotation('52 245 90 262', 'https://example.com/plan') +
        annotation('38 225 150 242', 'https://example.com/b') +
        annotation('47 245 90 262', 'javascript:alert\\(1\\)') +
        ']>>endobj',
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n');
    expect(await read(Buffer.from(bytes), 'pdf')).toMatchObject({
      text: '[page 1]\nRead our plan\nand https://example.com/b\n[link: our plan <https://example.com/plan>]',
    });
  });
});
