import { deflateRawSync } from 'node:zlib';
import { ole, read, zip } from '../../../test/files/made-documents.js';

it('a document of Hancom in XML has its sections in order', async () => {
  const section = (text: string) =>
    `<hs:sec><hp:p><hp:run><hp:t>${text}</hp:t></hp:run></hp:p><hp:p><hp:run><hp:t>줄</hp:t></hp:run></hp:p></hs:sec>`;
  const bytes = zip({
    mimetype: 'application/hwp+zip',
    'META-INF/container.xml': '<container/>',
    'Contents/section1.xml': section('둘'),
    'Contents/section0.xml': section('하나'),
  });
  expect(await read(bytes, 'zip', 'hwpx')).toMatchObject({ kind: 'Hancom document', text: '하나\n줄\n둘\n줄' });
});

it('tabs, lines and marks inside of a text of Hancom leave what follows them', async () => {
  const text =
    '<hp:t>하나<hp:tab width="4000"/>둘<hp:lineBreak/><hp:markpenBegin color="#FFFF00"/>셋<hp:markpenEnd/>넷<hp:nbSpace/>끝</hp:t>';
  const bytes = zip({
    mimetype: 'application/hwp+zip',
    'Contents/section0.xml': `<hs:sec><hp:p><hp:run>${text}</hp:run></hp:p></hs:sec>`,
  });
  expect(await read(bytes, 'zip', 'hwpx')).toMatchObject({ text: '하나\t둘\n셋넷 끝' });
});

describe('a document of HWP 5', () => {
  const record = (kind: number, content: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(kind | (content.length << 20));
    return Buffer.concat([head, content]);
  };
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  // A table stands in eight places; a tab too.
  const control = (code: string) => `${code}......${code}`;
  const body = Buffer.concat([
    record(66, Buffer.alloc(22)),
    record(67, wide(`안녕${control('\u000b')} 문서${control('\t')}끝\r`)),
    record(67, wide('둘째 줄\r')),
  ]);
  const header = (flags: number) => {
    const bytes = Buffer.alloc(256);
    bytes.write('HWP Document File');
    bytes.writeUInt32LE(flags, 36);
    return bytes;
  };
  const file = (flags: number, section: Buffer) =>
    ole({ FileHeader: header(flags), DocInfo: Buffer.alloc(8), 'BodyText/Section0': section });

  it.each([
    ['plain', file(0, body)],
    ['compressed', file(1, deflateRawSync(body))],
  ])('is read, %s', async (_, bytes) => {
    expect(await read(bytes, 'ole', 'hwp')).toMatchObject({ kind: 'Hancom document', text: '안녕 문서\t끝\n둘째 줄' });
  });

  it('with a password is protected', async () => {
    expect(await read(file(3, body), 'ole', 'hwp')).toMatchObject({ problem: 'encrypted' });
  });

  it('that would inflate without end is refused', async () => {
    const bomb = deflateRawSync(Buffer.alloc(65 * 1024 * 1024));
    expect(await read(file(1, bomb), 'ole', 'hwp')).toMatchObject({ problem: 'hostile' });
  });
});
