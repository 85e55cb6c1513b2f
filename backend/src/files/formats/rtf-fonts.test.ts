import { read } from '../../../test/files/made-documents.js';

/** What an RTF file says, whose fonts are `fonts`. */
const textOf = async (start: string, fonts: string, body: string) =>
  ((await read(Buffer.from(`{\\rtf1\\ansi${start}{\\fonttbl${fonts}}${body}}`), 'rtf')) as { text?: string }).text;

describe('letters of an RTF file', () => {
  it('are those of the usual font until another one is chosen, and after a return to what is plain', async () => {
    const fonts = '{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}';
    const text = await textOf('\\deff1', fonts, String.raw`\'cc\'e8\'f0 {\f0 caf\'e9} \f0 \'e9 \plain \'cc\'e8\'f0`);
    expect(text).toBe('Мир café é Мир');
  });

  it('are no symbols where the usual font has these', async () => {
    const fonts = '{\\f0\\fcharset2 Symbol;}{\\f1 Arial;}';
    expect(await textOf('\\deff0', fonts, 'abc {\\f0 a}\\plain  abc')).toBe('abc α abc');
  });

  it('have the code page that a font names', async () => {
    expect(await textOf('', '{\\f0\\fcharset128\\cpg65001 Arial;}', String.raw`\f0\'e4\'b8\'ad`)).toBe('中');
  });

  it('are those of Western Europe where the code page has no such letter', async () => {
    const fonts = '{\\f0\\fcharset0 Arial;}{\\f1\\fcharset128 OpenSymbol;}';
    const text = await textOf('\\ansicpg950', fonts, String.raw`\f0 \'a9 2004 {\'a4\'a4}\f1 \'96\tab \'93\'fa`);
    expect(text).toBe('© 2004 中–\t日');
  });
});
