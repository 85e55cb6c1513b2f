import { read } from '../../../../test/files/made-documents.js';

const textOf = async (lines: (string | Buffer)[]) => {
  const bytes = Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\r\n')])));
  const result = await read(bytes, 'text');
  return 'text' in result ? result.text : result;
};

it('shows contacts of a phone in letters', async () => {
  expect(
    await textOf([
      'BEGIN:VCARD',
      'VERSION:2.1',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E5=BC=A0=E4=BC=9F',
      'ADR;HOME;QUOTED-PRINTABLE;CHARSET=iso-8859-1:;;Stra=DFe 1=0D=0AHof;=',
      '=4Bln',
      'TEL;CELL:138=00',
      'END:VCARD',
    ]),
  ).toBe('BEGIN:VCARD\nVERSION:2.1\nFN:张伟\nADR;HOME:;;Straße 1\n Hof;Kln\nTEL;CELL:138=00\nEND:VCARD');
});

it('joins the lines of a calendar, of which one may end inside of a letter', async () => {
  const summary = Buffer.from('SUMMARY:Größe und Länge');
  const cut = summary.indexOf('ß') + 1;
  expect(
    await textOf([
      'BEGIN:VCALENDAR',
      summary.subarray(0, cut),
      Buffer.concat([Buffer.from(' '), summary.subarray(cut)]),
      'LOCATION:Room',
      '\t 7',
      'END:VCALENDAR',
    ]),
  ).toBe('BEGIN:VCALENDAR\nSUMMARY:Größe und Länge\nLOCATION:Room 7\nEND:VCALENDAR');
});

it('joins the lines of a property, however many', async () => {
  const pieces = Array.from({ length: 60_000 }, () => '=80=');
  expect(await textOf(['BEGIN:VCARD', 'N;CHARSET=windows-1252;QUOTED-PRINTABLE:=', ...pieces, '', 'END:VCARD'])).toBe(
    `BEGIN:VCARD\nN:${'€'.repeat(60_000)}\nEND:VCARD`,
  );
});

it('leaves other texts as they are', async () => {
  expect(await textOf(['a:', ' b', 'N;QUOTED-PRINTABLE:=41'])).toBe('a:\n b\nN;QUOTED-PRINTABLE:=41');
});
