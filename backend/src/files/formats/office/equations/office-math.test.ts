import { presentation, read, word } from '../../../../../test/files/made-documents.js';

const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (content: string) => `<m:e>${content}</m:e>`;
const script = (base: string, sup: string) => `<m:sSup>${e(t(base))}<m:sup>${sup}</m:sup></m:sSup>`;

const EQUATIONS: [equation: string, line: string][] = [
  [`<m:f><m:num>${t('a')}</m:num><m:den>${t('b')}</m:den></m:f>`, 'a/b'],
  [`<m:f><m:num>${t('a+b')}</m:num><m:den>${t('c')}</m:den></m:f>`, '(a+b)/c'],
  [script('x', t('2')), 'x²'],
  [script('e', t('x+1')), 'e^(x+1)'],
  [script('e', script('x', t('2'))), 'e^(x²)'],
  [`<m:sSub>${e(t('x'))}<m:sub>${t('i')}</m:sub></m:sSub>`, 'x_i'],
  [`<m:rad><m:deg/>${e(t('2a'))}</m:rad>`, '√(2a)'],
  [`<m:rad><m:deg>${t('3')}</m:deg>${e(t('x'))}</m:rad>`, '√(3; x)'],
  [`${t('f')}<m:d>${e(t('x'))}</m:d>`, 'f(x)'],
  [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>${e(t('x'))}</m:d>`, '[x'],
  [
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t('i=1')}</m:sub><m:sup>${t('N')}</m:sup>${e(t('i'))}</m:nary>`,
    '∑_(i=1)^Ni',
  ],
  [`<m:nary><m:naryPr/><m:sub/><m:sup/>${e(t('x'))}</m:nary>`, '∫x'],
];

it.each(EQUATIONS)('of DOCX are written as lines: %s', async (equation, line) => {
  const bytes = word(`<w:p><w:r><w:t>so </w:t></w:r><m:oMath>${equation}</m:oMath></w:p>`);
  expect(await read(bytes, 'zip')).toMatchObject({ text: `so ${line}` });
});

it.each(EQUATIONS)('of PPTX are written as lines: %s', async (equation, line) => {
  const bytes = presentation(
    `<p:sld><p:sp><a:p><a:r><a:t>so </a:t></a:r><m:oMath>${equation}</m:oMath></a:p></p:sp></p:sld>`,
  );
  expect(await read(bytes, 'zip')).toMatchObject({ text: `[slide 1]\nso ${line}` });
});
