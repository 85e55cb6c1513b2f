import iconv from 'iconv-lite';
import { ole, read } from '../../../test/files/made-documents.js';

describe('a mail', () => {
  it('is decoded, with the names of its attachments', async () => {
    const mail = [
      'From: =?utf-8?B?QW5p?= <ani@example.com>',
      'To: budi@example.com',
      'Subject: =?iso-8859-1?Q?Caf=E9?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Halo dunia').toString('base64'),
      '--x',
      'Content-Type: application/pdf; name="plan.pdf"',
      'Content-Disposition: attachment; filename="plan.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0=',
      '--x--',
    ].join('\r\n');
    expect(await read(Buffer.from(mail), 'mail')).toMatchObject({
      text: 'From: Ani <ani@example.com>\nTo: budi@example.com\nSubject: Café\nAttachments: plan.pdf\n\nHalo dunia\n\n[embedded file "plan.pdf"]\n',
    });
  });

  it('has the documents that stand beside its page, without the parts of the page', async () => {
    const part = (...lines: string[]) => ['--x', ...lines.map((line) => (line === '' ? 'Content-ID: <c>\r\n' : line))];
    const mail = [
      'From: ani@example.com',
      'Content-Type: multipart/related; boundary=x',
      '',
      '--x',
      'Content-Type: text/html',
      '',
      '<p>Halo <img src="cid:c"></p>',
      ...part('Content-Type: image/png; name="logo.png"', '', 'x'),
      ...part('Content-Type: text/css; name="look.css"', '', 'p {}'),
      ...part('Content-Type: text/plain; name="note.txt"', 'Content-Disposition: attachment', '', 'Note'),
      ...part('Content-Type: text/csv; name="data.csv"', 'Content-Disposition: inline', '', 'Pen,42'),
      ...part('Content-Type: application/octet-stream; name="image001.png"', '', 'x'),
      ...part('Content-Type: application/pdf; name="plan.pdf"', 'Content-Disposition: inline', '', '%PDF-'),
      '--x--',
    ].join('\r\n');
    const { text } = (await read(Buffer.from(mail), 'mail')) as { text: string };
    expect(text).toContain('Attachments: note.txt, data.csv, plan.pdf\n\nHalo');
    expect(text).toContain('[embedded text file "note.txt"]\nNote');
    expect(text).not.toContain('p {}');
  });

  const head = (type: string, subject: string | Buffer = 'x') =>
    Buffer.concat([
      Buffer.from('From: ani@example.com\r\nSubject: '),
      Buffer.from(subject),
      Buffer.from(`\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}`),
    ]);
  const german = 'Schöne Grüße aus Köln und viele Küsse';
  const russian = 'Привет, собрание состоится в понедельник';

  it.each([
    ['names none', head(''), iconv.encode(german, 'win1252'), german],
    ['names none, in its subject too', head('', iconv.encode('Übersicht', 'win1252')), Buffer.from('x'), 'Übersicht'],
    ['says that it is unknown', head('text/plain; charset=unknown-8bit'), iconv.encode(german, 'win1252'), german],
    [
      'names none, though it is UTF-8 with a bad byte',
      head(''),
      Buffer.concat([Buffer.from(german), Buffer.from([0xe9])]),
      german,
    ],
    [
      'shifts to Korean',
      head('text/plain; charset=ISO-2022-KR'),
      Buffer.from('\x1b$)C\r\n\x0e:OA6<1\x0f (Seoul)'),
      '북조선 (Seoul)',
    ],
    ['is of DOS', head('text/plain; charset=ibm850'), iconv.encode(german, 'cp850'), german],
    [
      'stands in its page',
      head('text/html'),
      iconv.encode(`<meta charset="windows-1251"><p>${russian}</p>`, 'win1251'),
      russian,
    ],
    [
      'names none, quoted',
      head('text/plain\r\nContent-Transfer-Encoding: quoted-printable'),
      Buffer.from(
        iconv
          .encode(german, 'win1252')
          .toString('latin1')
          .replace(/[\x80-\xff]/g, (one) => `=${one.charCodeAt(0).toString(16).toUpperCase()}`),
      ),
      german,
    ],
  ])('is decoded where its encoding %s', async (_, start, body, expected) => {
    const { text } = (await read(Buffer.concat([start, Buffer.from('\r\n'), body]), 'mail')) as { text: string };
    expect(text).toContain(expected);
  });

  it('keeps the bytes of its parts in binary where its encoding names none', async () => {
    const file = Buffer.from([0xff, 0xe9, 0xfe]);
    const part = '\r\n--b\r\nContent-Type: application/x-data; name="a.txt"\r\nContent-Disposition: attachment\r\n';
    const mail = Buffer.concat([
      head('multipart/mixed; boundary="b"'),
      Buffer.from(`${part}Content-Transfer-Encoding: binary\r\n\r\nGr`),
      file,
      Buffer.from('e\r\n--b--\r\n'),
    ]);
    const { text } = (await read(mail, 'mail')) as { text: string };
    expect(text).toContain('[embedded text file "a.txt"]\nGrÿéþe');
  });

  it.each([true, false])('in UTF-16 is read, with a mark: %s', async (addBOM) => {
    const mail = iconv.encode(`From: ani@example.com\r\nSubject: x\r\n\r\n${german}`, 'utf-16le', { addBOM });
    expect(await read(mail, 'mail')).toMatchObject({ text: `From: ani@example.com\nSubject: x\n\n${german}` });
  });

  const letter = `Dear Ani, ${'the rent is due. '.repeat(20)}`.trim();

  it.each([
    ['says the same', 'The rent is due.', '<b>The rent</b> is due, says the page.', 'The rent is due.'],
    ['only asks for another program', 'Use a program that shows HTML.', `<p>${letter}</p>`, letter],
  ])('has its page where that says more: its text %s', async (_, plain, page, expected) => {
    const mail =
      'From: ani@example.com\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n' +
      `${plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n${page}\r\n--b--\r\n`;
    expect(await read(Buffer.from(mail), 'mail')).toMatchObject({ text: `From: ani@example.com\n\n${expected}` });
  });

  it('has its attachments after it, which are read too', async () => {
    const { text } = (await read(
      Buffer.from(
        'From: ani@example.com\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n' +
          'See below\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="price.csv"\r\n\r\n' +
          'Pen,42\r\n--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename="logo.png"\r\n\r\nx\r\n--b--\r\n',
      ),
      'mail',
    )) as { text: string };
    expect(text).toBe(
      'From: ani@example.com\nAttachments: price.csv, logo.png\n\nSee below\n\n[embedded text file "price.csv"]\nPen,42',
    );
  });

  it('has attachments without a name, as mail servers and calendars send them', async () => {
    const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`;
    const { text } = (await read(
      Buffer.from(
        'From: ani@example.com\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n' +
          part('Content-Type: text/plain', 'See below') +
          part(
            'Content-Type: message/rfc822\r\nContent-Disposition: attachment; creation-date="Fri, 27 Nov 2026 01:00:00 GMT"',
            'From: budi@example.com\r\nSubject: Plan\r\n\r\nas agreed',
          ) +
          part('Content-Type: text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\r\nSUMMARY:Review\r\nEND:VCALENDAR') +
          part('Content-Type: application/rtf\r\nContent-Disposition: attachment', '{\\rtf1 in rtf}') +
          part('Content-Type: application/x-data\r\nContent-Disposition: attachment', 'unknown') +
          '--b--\r\n',
      ),
      'mail',
    )) as { text: string };
    expect(text).toBe(
      'From: ani@example.com\nAttachments: message.eml, invite.ics, application/rtf, application/x-data\n\nSee below\n\n' +
        '[embedded e-mail "message.eml"]\nFrom: budi@example.com\nSubject: Plan\n\nas agreed\n\n' +
        '[embedded text file "invite.ics"]\nBEGIN:VCALENDAR\nSUMMARY:Review\nEND:VCALENDAR\n\n' +
        '[embedded RTF document]\nin rtf',
    );
  });

  it('has the day and time that its sender wrote', async () => {
    const bytes = Buffer.from('From: ani@example.com\r\nDate: Fri, 20 Nov 2026 08:30:00 +0900\r\n\r\nhi');
    expect(await read(bytes, 'mail')).toMatchObject({
      text: 'From: ani@example.com\nDate: Fri, 20 Nov 2026 08:30:00 +0900\n\nhi',
    });
  });

  it('that could not be delivered has its status', async () => {
    const bytes = Buffer.from(
      'From: ani@example.com\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nsorry\r\n' +
        '--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; budi@example.com\r\n--b--\r\n',
    );
    expect(await read(bytes, 'mail')).toMatchObject({
      text: expect.stringContaining('"delivery status.txt"]\nFinal-Recipient: rfc822; budi@example.com') as string,
    });
  });

  it('that is a saved page has no attachments without a name', async () => {
    const bytes = Buffer.from(
      'Subject: Page\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>shown</p>\r\n' +
        '--b\r\nContent-Type: image/png\r\nContent-Location: http://example.com/x.png\r\n\r\nx\r\n--b--\r\n',
    );
    expect(await read(bytes, 'mail', 'mht')).toMatchObject({ text: 'Subject: Page\n\nshown' });
  });

  it('of a mailbox is one of its mails, each in its section', async () => {
    const mailbox =
      'From ani@example.com Thu Jan  1 00:00:00 2026\nFrom: ani@example.com\nSubject: one\n\nfirst\n\n' +
      'From budi@example.com Thu Jan  1 00:00:00 2026\nFrom: budi@example.com\nSubject: two\n\n>From here\n';
    expect(await read(Buffer.from(mailbox), 'mail', 'mbox')).toMatchObject({
      text:
        '[mail 1]\nFrom: ani@example.com\nSubject: one\n\nfirst\n\n' +
        '[mail 2]\nFrom: budi@example.com\nSubject: two\n\nFrom here',
    });
  });

  it('of a mailbox may have words of its first line, or an address of a public archive', async () => {
    const mailbox =
      'From ani at example.com  Thu Jan  1 00:00:00 2026\nFrom: ani at example.com\n\n' +
      'From her Thu evening I know\nthat\n\n' +
      'From budi at example.com  Thu Jan  1 00:00:00 2026\nFrom: budi at example.com\n\nsecond\n';
    const { text } = (await read(Buffer.from(mailbox), 'mail', 'mbox')) as { text: string };
    expect(text).toContain('From her Thu evening I know\nthat');
    expect(text.match(/\[mail \d\]/g)).toEqual(['[mail 1]', '[mail 2]']);
  });

  it('that is broken leaves the others of its mailbox', async () => {
    const from = 'From ani@example.com Thu Jan  1 00:00:00 2026\nSubject: hi\n';
    const deep = Array.from({ length: 100 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`);
    const mailbox = `${from}\nfirst\n\n${from}${deep.join('')}\n${from}\nlast\n`;
    expect(await read(Buffer.from(mailbox), 'mail', 'mbox')).toMatchObject({
      isDamaged: true,
      text: expect.stringMatching(/first[^]*last/) as string,
    });
  });

  it.each([
    ['a byte order mark', '\ufeff', ''],
    ['empty lines', '\r\n\r\n', ''],
    ['its length and marks of Apple Mail', '37\n', '<?xml version="1.0"?><plist></plist>'],
  ])('has %s around it', async (_, before, after) => {
    const bytes = Buffer.from(`${before}From: ani@example.com\nSubject: Hi\n\nHi${after}`);
    const end = before.startsWith('37') ? '' : after;
    expect(await read(bytes, 'mail', 'eml')).toMatchObject({ text: `From: ani@example.com\nSubject: Hi\n\nHi${end}` });
  });

  it('of more lines than any attachment has is cut', async () => {
    const mail = Buffer.from(`From: ani@example.com\nSubject: Log\n\n${'a\n'.repeat(1_500_000)}`);
    expect(await read(mail, 'mail')).toMatchObject({
      text: expect.stringMatching(/^From: ani@example.com\nSubject: Log\n\na\na\n/) as string,
      isCut: true,
    });
  });

  it('that is sealed as a whole says so', async () => {
    const bytes = Buffer.from(
      'From: ani@example.com\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\r\n' +
        'Content-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQEHA6CA\r\n',
    );
    expect(await read(bytes, 'mail')).toMatchObject({ text: expect.stringContaining('S/MIME') as string });
  });

  it.each(['; format=flowed', '; delsp=yes;\r\n format="flowed"'])(
    'has quoted lines as they are: %s',
    async (flowed) => {
      const mail = (text: string) =>
        Buffer.from(`From: ani@example.com\r\nContent-Type: text/plain; charset=utf-8${flowed}\r\n\r\n${text}`);
      expect(await read(mail('> How \r\n> many?\r\n\r\nThree.\r\n'), 'mail')).toMatchObject({
        text: 'From: ani@example.com\n\n> How \n> many?\n\nThree.',
      });
      expect(await read(mail('> Say \r\n> format=flowed\r\n'), 'mail')).toMatchObject({
        text: 'From: ani@example.com\n\n> Say \n> format=flowed',
      });
      const { text } = (await read(mail('How \r\nmany?\r\n'), 'mail')) as { text: string };
      expect(text).toMatch(/\nHow ?many\?$/);
    },
  );
});

describe('a message of Outlook', () => {
  it('has its head, its text and the names of its attachments', async () => {
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    const properties = Buffer.alloc(32);
    const bytes = ole({
      '__properties_version1.0': properties,
      '__substg1.0_0037001F': wide('Plan für Mai'),
      '__substg1.0_0C1A001F': wide('Ani'),
      '__substg1.0_5D01001F': wide('ani@example.com'),
      '__substg1.0_1000001F': wide('Halo dunia'),
      '__recip_version1.0_#00000000/__properties_version1.0': properties.subarray(0, 8),
      '__recip_version1.0_#00000000/__substg1.0_3001001F': wide('Budi'),
      '__recip_version1.0_#00000000/__substg1.0_39FE001F': wide('budi@example.com'),
      '__attach_version1.0_#00000000/__properties_version1.0': properties.subarray(0, 8),
      '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('plan.pdf'),
    });
    expect(await read(bytes, 'ole', 'msg')).toMatchObject({
      kind: 'Outlook message',
      text:
        'From: Ani <ani@example.com>\nTo: Budi <budi@example.com>\nSubject: Plan für Mai\nAttachments: plan.pdf\n\n' +
        'Halo dunia',
    });
  });

  it.each([
    ['big5', 950, '年終聯歡晚會', '各位同仁好，請參加。'],
    ['windows-1251', 1251, 'Договор', 'Добрый день, прошу подписать.'],
    ['windows-1252', 1252, 'Angebot – „Plan“', 'Preis: 5 €'],
    ['shift_jis', 0, '会議のお知らせ', '来週の会議について、資料を添付します。'],
  ])('in %s, as older versions write it, is decoded', async (encoding, page, subject, text) => {
    const properties = Buffer.alloc(48);
    properties.writeUInt32LE(page === 0 ? 0x0017_0003 : 0x3ffd_0003, 32);
    properties.writeUInt32LE(page === 0 ? 1 : page, 40);
    const bytes = ole({
      '__properties_version1.0': properties,
      '__substg1.0_0037001E': iconv.encode(subject, encoding),
      '__substg1.0_1000001E': iconv.encode(text, encoding),
    });
    expect(await read(bytes, 'ole', 'msg')).toMatchObject({ text: `Subject: ${subject}\n\n${text}` });
  });

  it.each([
    ['IPM.Appointment', { start: 0x8201, place: 0x8202 }],
    ['IPM.Schedule.Meeting.Request', { start: 0x8201, place: 0x8202 }],
    ['IPM.Note', { start: 0x8201, place: 0x8202 }],
  ])('has when and where it is, as %s', async (kind, { start, place }) => {
    const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0');
    // Properties with a name: the number of each, its set, and its place in the list.
    const names = Buffer.alloc(16);
    names.writeUInt32LE(0x820d, 0);
    names.writeUInt16LE(3 << 1, 4);
    names.writeUInt16LE(start - 0x8000, 6);
    names.writeUInt32LE(0x8208, 8);
    names.writeUInt16LE(3 << 1, 12);
    names.writeUInt16LE(place - 0x8000, 14);
    const properties = Buffer.alloc(48);
    properties.writeUInt32LE(start * 0x1_0000 + 0x40, 32);
    properties.writeBigUInt64LE(134_250_000_000_000_000n, 40);
    const bytes = ole({
      '__properties_version1.0': properties,
      '__nameid_version1.0/__substg1.0_00020102': Buffer.from('0220060000000000c000000000000046', 'hex'),
      '__nameid_version1.0/__substg1.0_00030102': names,
      '__nameid_version1.0/__substg1.0_00040102': Buffer.alloc(0),
      '__substg1.0_001A001F': Buffer.from(kind, 'utf16le'),
      '__substg1.0_0037001F': Buffer.from('Review', 'utf16le'),
      [`__substg1.0_${hex(place)}001F`]: Buffer.from('Room 5', 'utf16le'),
    });
    const details = kind === 'IPM.Note' ? '' : '\nStart: Wed, 03 Jun 2026 22:40:00 GMT\nLocation: Room 5';
    expect(await read(bytes, 'ole', 'msg')).toMatchObject({ text: `Subject: Review${details}` });
  });

  it('that is cut off is reported', async () => {
    const bytes = ole({
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_1000001F': Buffer.alloc(9_000, 'a'),
    });
    expect(await read(bytes.subarray(0, 3_000), 'ole', 'msg')).toHaveProperty('problem');
  });
});
