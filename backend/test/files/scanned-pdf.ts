import { deflateSync } from 'node:zlib';

/** A page of a PDF: its text in lines, a scan that is dark from a share of its height on, or nothing. */
export type PdfPage = { text: string } | { scan: number } | 'blank' | 'white scan';

const SIDE = 64;

/** A picture in grey: white paper with a dark block at the bottom. */
function scanOf(dark: number): Buffer {
  const pixels = Buffer.alloc(SIDE * SIDE, 0xff);
  pixels.fill(0x20, Math.floor(SIDE * SIDE * (1 - dark)));
  return deflateSync(pixels);
}

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => `(${line}) Tj`)
    .join(' 0 -18 Td ');

const stream = (dictionary: string, bytes: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${bytes.length}>>stream\n`),
    Buffer.from(bytes),
    Buffer.from('\nendstream'),
  ]);

/** A PDF in A4 written by hand. @param trailer more entries of the trailer @param catalog and of its root */
export function pdfOf(pages: readonly PdfPage[], trailer = '', catalog = ''): Buffer {
  const objects: (Buffer | string)[] = [];
  const add = (object: Buffer | string): number => objects.push(object);
  add(`<</Type/Catalog/Pages 2 0 R${catalog}>>`);
  add('');
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const kids = pages.map((page) => {
    const box = '/Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]';
    if (page === 'blank') return add(`<<${box}/Resources<<>>>>`);
    if (typeof page === 'object' && 'text' in page) {
      const content = add(stream('', `BT /F 14 Tf 50 700 Td ${linesOf(page.text)} ET`));
      return add(`<<${box}/Resources<</Font<</F ${font} 0 R>>>>/Contents ${content} 0 R>>`);
    }
    const image = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}/ColorSpace/DeviceGray/BitsPerComponent 8`;
    const scan = add(stream(`${image}/Filter/FlateDecode`, scanOf(page === 'white scan' ? 0 : page.scan)));
    const content = add(stream('', 'q 595 0 0 842 0 0 cm /I Do Q'));
    return add(`<<${box}/Resources<</XObject<</I ${scan} 0 R>>>>/Contents ${content} 0 R>>`);
  });
  objects[1] = `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]/Count ${kids.length}>>`;
  return assembled(objects, trailer);
}

function assembled(objects: readonly (Buffer | string)[], trailer: string): Buffer {
  const pieces = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = pieces[0]!.length;
  objects.forEach((object, index) => {
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += piece.length;
    pieces.push(piece);
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Root 1 0 R/Size ${size}${trailer}>>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(pieces);
}

/** An encrypted PDF: its security handler needs a password that nobody has. */
export const encryptedPdf = (): Buffer =>
  pdfOf(
    [{ scan: 0.5 }],
    `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>>>`,
  );
