import { deflateRawSync, gzipSync, brotliCompressSync, deflateSync, constants } from 'node:zlib';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { repeated } from './worst-texts.js';

const MB = 2 ** 20;
const BOUNDARY = 'clock';

/** Content type of a form. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface Part {
  head: string;
  content: Buffer | string;
}

const formOf = (parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

const field = (name: string, content: Buffer | string = 'a'): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  content,
});

const file = (content: Buffer | string, name: string, type: string): Part => ({
  head: `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`,
  content,
});

/** A form with one text. */
export const fileInForm = (content: string): Buffer => formOf([file(content, 'a.txt', 'text/plain')]);

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const zip = (files: Record<string, Uint8Array>): Buffer => Buffer.from(zipSync(files, { level: 1 }));
const blanks = (megabytes: number) => Buffer.alloc(megabytes * MB, ' ');

/** Forms that are bad as forms. */
const FORMS: Record<string, () => Buffer> = {
  '10,000 fields': () => formOf(Array.from({ length: 10_000 }, (_, index) => field(`f${index}`))),
  'a field name of 1 MB': () => formOf([field('a'.repeat(MB))]),
  'a field of 1 MB': () => formOf([field('a', blanks(1))]),
  '20 fields of 1 MB': () => formOf(Array.from({ length: 20 }, (_, index) => field(`f${index}`, blanks(1)))),
  'a part with 10,000 headers': () =>
    formOf([{ head: Array.from({ length: 10_000 }, (_, index) => `X-${index}: a`).join('\r\n'), content: 'a' }]),
  'a header of 1 MB': () =>
    formOf([{ head: `Content-Disposition: form-data; name="file"; a="${'b'.repeat(MB)}"`, content: 'a' }]),
  'parameters of a header': () =>
    formOf([{ head: `Content-Disposition: form-data${repeated('; a="b"')(15_000)}`, content: 'a' }]),
  'an encoded file name': () =>
    formOf([
      {
        head: `Content-Disposition: form-data; name="file"; filename*=utf-8''${repeated('%41')(15_000)}`,
        content: 'a',
      },
    ]),
  'a file name of dots': () => formOf([file('a', '../'.repeat(5_000), 'text/plain')]),
  'beginnings of the boundary': () =>
    formOf([file(repeated(`\r\n--${BOUNDARY.slice(0, -1)}`)(8 * MB), 'a.txt', 'text/plain')]),
  'line ends': () => formOf([file(repeated('\r\n')(8 * MB), 'a.txt', 'text/plain')]),
  hyphens: () => formOf([file(repeated('\r\n-')(8 * MB), 'a.txt', 'text/plain')]),
  'empty parts': () => Buffer.from(`--${BOUNDARY}\r\n\r\n\r\n`.repeat(50_000)),
  'boundaries alone': () => Buffer.from(`--${BOUNDARY}\r\n`.repeat(100_000)),
  'a form in a form': () =>
    formOf([
      {
        head: `Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=x`,
        content: '--x\r\n\r\n\r\n'.repeat(50_000),
      },
    ]),
};

/** A PNG whose header says that it has many pixels. */
async function claimedPng(side: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  return png;
}

const oneColour = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
    .png({ compressionLevel: 1 })
    .toBuffer();

const sheet = (rows: number): Buffer =>
  zip({
    '[Content_Types].xml': Buffer.from('<Types/>'),
    'xl/workbook.xml': Buffer.from('<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>'),
    'xl/worksheets/sheet1.xml': Buffer.from(
      `<worksheet><sheetData>${'<row><c t="inlineStr"><is><t>a</t></is></c></row>'.repeat(rows)}</sheetData></worksheet>`,
    ),
  });

const word = (body: Uint8Array): Buffer =>
  zip({ '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': body });

/** Pictures that are small as they come and large when they are read. */
const PICTURES: Record<string, () => Buffer | Promise<Buffer>> = {
  'a picture of 100 megapixels': async () => formOf([file(await oneColour(10_000), 'a.png', 'image/png')]),
  'a picture that claims 2,500 megapixels': async () => formOf([file(await claimedPng(50_000), 'a.png', 'image/png')]),
  'a picture of 5 MB of noise': () => formOf([file(Buffer.alloc(5 * MB, 0x89), 'a.png', 'image/png')]),
};

/** Files that are small as they come and large when they are read. */
const FILES: Record<string, () => Buffer | Promise<Buffer>> = {
  ...PICTURES,
  'a DOCX of 130 MB': () => formOf([file(word(Buffer.alloc(130 * MB, '<w:t>')), 'a.docx', DOCX)]),
  'a DOCX of elements in one another': () => formOf([file(word(Buffer.from('<a>'.repeat(3_000_000))), 'a.docx', DOCX)]),
  'an XLSX of 1,000,000 rows': () => formOf([file(sheet(1_000_000), 'a.xlsx', XLSX)]),
  'a text of 10 MB': () => formOf([file(blanks(9), 'a.txt', 'text/plain')]),
  'a text of 10 MB of zeros': () => formOf([file(Buffer.alloc(9.9 * MB), 'a.txt', 'text/plain')]),
  'a text of 10 MB in UTF-16 without a mark': () =>
    formOf([file(Buffer.from('a'.repeat(4.9 * MB), 'utf16le'), 'a.txt', 'text/plain')]),
  'a text of 10 MB without lines': () => formOf([file(repeated('日')(9.9 * MB), 'a.csv', 'text/csv')]),
  'a text of 10 MB of quotes': () => formOf([file(repeated('"')(9.9 * MB), 'a.txt', 'text/plain')]),
  'a text of 10 MB of backslashes': () => formOf([file(repeated('\\')(9.9 * MB), 'a.txt', 'text/plain')]),
  'a PDF of 10 MB of brackets': () => formOf([file(`%PDF-1.7\n${'['.repeat(9.5 * MB)}`, 'a.pdf', 'application/pdf')]),
  'an HTML of 10 MB of elements in one another': () => formOf([file('<a>'.repeat(3_200_000), 'a.html', 'text/html')]),
  'a file above the bound': () => formOf([file(blanks(12), 'a.txt', 'text/plain')]),
};

/** Exports to import. */
const EXPORTS: Record<string, () => Buffer | Promise<Buffer>> = {
  'a ZIP of 100 MB': () => formOf([file(zip({ 'conversations.json': blanks(100) }), 'a.zip', 'application/zip')]),
  'a ZIP of 20,000 entries': () =>
    formOf([
      file(
        zip(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${index}.json`, Buffer.from('[]')]))),
        'a.zip',
        'application/zip',
      ),
    ]),
  'JSON of 20 MB of lists in one another': () => formOf([file('['.repeat(20 * MB), 'a.json', 'application/json')]),
  'JSON of 20 MB of empty objects': () =>
    formOf([file(`[${'{},'.repeat(7 * MB)}{}]`, 'conversations.json', 'application/json')]),
  'JSON of 20 MB of one key': () =>
    formOf([file(`[{"${'k'.repeat(20 * MB)}":1}]`, 'conversations.json', 'application/json')]),
  'JSON of one text of 30 MB': () =>
    formOf([file(`[{"title":"${'k'.repeat(30 * MB)}"}]`, 'conversations.json', 'application/json')]),
};

/** Forms of the call that an identity provider makes, as it writes them. */
const TOKENS: Record<string, () => Buffer> = {
  '300,000 fields': () => Buffer.from(repeated('a=&')(MB)),
  'a field of fields in one another': () => Buffer.from(`logout_token${'[a]'.repeat(MB / 4)}=a`),
  'a token of 1 MB': () => Buffer.from(`logout_token=${'a'.repeat(MB - 20)}`),
  'a token of empty parts': () => Buffer.from(`logout_token=${'.'.repeat(MB - 20)}`),
  'a token of escapes': () => Buffer.from(`logout_token=${'%2E'.repeat(MB / 4)}`),
  'a token of 100,000 names': () =>
    Buffer.from(`logout_token=e30.${Buffer.from(`{${'"a":1,'.repeat(100_000)}"b":1}`).toString('base64url')}.a`),
};

const UPLOADS: Record<string, Record<string, () => Buffer | Promise<Buffer>>> = {
  '/api/files': { ...FORMS, ...FILES },
  '/api/projects/{id}/files': { ...FORMS, ...FILES },
  '/api/auth/oidc/{id}/backchannel-logout': TOKENS,
  '/api/admin/logo': { ...FORMS, ...PICTURES },
  '/api/user/import': { ...FORMS, ...EXPORTS },
  '/api/chat/transcribe': {
    ...FORMS,
    'a sound of 10 MB': () =>
      formOf([file(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), blanks(9.9)]), 'a.wav', 'audio/wav')]),
    'ten languages': () =>
      formOf([
        ...Array.from({ length: 10 }, () => field('language', 'a'.repeat(1_000))),
        file('RIFF', 'a.wav', 'audio/wav'),
      ]),
  },
  '/api/v1/audio/transcriptions': {
    ...FORMS,
    'a sound of 25 MB': () =>
      formOf([
        field('model', 'whisper-1'),
        file(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), blanks(24)]), 'a.wav', 'audio/wav'),
      ]),
    'a prompt of 16 kB': () =>
      formOf([field('model', 'whisper-1'), field('prompt', 'a'.repeat(16_000)), file('RIFF', 'a.wav', 'audio/wav')]),
    '20 granularities': () =>
      formOf([
        ...Array.from({ length: 20 }, () => field('timestamp_granularities[]', 'a'.repeat(16_000))),
        file('RIFF', 'a.wav', 'audio/wav'),
      ]),
  },
};

/** Forms of a route that takes one, which names it here. @throws Error for a new one */
export function uploadsOf(path: string): [input: string, build: () => Buffer | Promise<Buffer>][] {
  const forms = UPLOADS[path];
  if (forms === undefined) throw new Error(`${path} takes a form: add its worst uploads here`);
  return Object.entries(forms);
}

const repeatedGzip = (content: string | Buffer, count: number): Buffer => {
  const member = gzipSync(content);
  // One member after the other is one GZIP stream.
  return Buffer.concat(Array.from({ length: count }, () => member));
};

const brotli = (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** Bodies that grow when they are decompressed, by their `Content-Encoding`. */
export const COMPRESSED: [encoding: string, input: string, build: () => Buffer][] = [
  ['gzip', '1 GB of blanks', () => repeatedGzip(blanks(16), 64)],
  ['gzip', '1 MB of empty objects', () => gzipSync(`{"x":[${'{},'.repeat(330_000)}{}]}`)],
  ['gzip', '40,000 members without content', () => repeatedGzip('', 40_000)],
  ['deflate', '64 MB of blanks', () => deflateSync(blanks(64), { level: 1 })],
  ['deflate', '64 MB of blanks without head', () => deflateRawSync(blanks(64), { level: 1 })],
  ['br', '64 MB of blanks', () => brotli(blanks(64))],
  ['gzip', 'no GZIP', () => Buffer.alloc(1_000_000, 'a')],
  ['gzip, gzip', 'a text in two layers', () => gzipSync(gzipSync(blanks(16)))],
  ['zstd', 'an unknown encoding', () => Buffer.alloc(1_000_000, 'a')],
];
