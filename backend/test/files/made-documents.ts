import { readFileSync } from 'node:fs';
import * as xlsx from '@e965/xlsx';
import { strToU8, zipSync } from 'fflate';
import { readDocument } from '../../src/files/formats/read-document.js';
import type { DocumentFormat } from '../../src/files/inspection/file-kind.js';

/** The library's OLE containers, which its types omit. */
export const CFB = xlsx.CFB as {
  read(bytes: Buffer, options: { type: 'buffer' }): object;
  write(container: object, options: { type: 'buffer' }): unknown;
  find(container: object, path: string): { content: unknown } | null;
  utils: { cfb_new(): object; cfb_add(container: object, path: string, content: Buffer): void };
};

const inputs = new URL('inputs/', import.meta.url);

export const zip = (entries: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))));

/** What a reader gives, with the sections as prompts show them. */
export const read = async (bytes: Buffer, format: DocumentFormat, extension = '') => {
  const result = await readDocument(bytes, format, extension);
  if ('problem' in result) return result;
  const text = result.sections
    .map((section) => (section.label ? `[${section.label}]\n` : '') + section.text)
    .join('\n\n');
  return { ...result, text };
};

export const readInput = (path: string, format: DocumentFormat) =>
  read(readFileSync(new URL(path, inputs)), format, path.split('.').at(-1));

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Relationships with the ids `r1`, `r2` and on. */
export const rels = (...targets: [type: string, target: string][]) =>
  `<Relationships>${targets
    .map(([type, target], index) => `<Relationship Id="r${index + 1}" Type="${REL}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** A Word document whose relationships are `targets`. */
export const word = (body: string, parts: Record<string, string> = {}, targets: [string, string][] = []) =>
  zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels(['officeDocument', '/doc/main.xml']),
    'doc/main.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'doc/_rels/main.xml.rels': rels(...targets),
    ...parts,
  });

export const p = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A presentation of one slide, whose relationships are `targets`. */
export const presentation = (slide: string, targets: [string, string][] = [], parts: Record<string, string> = {}) =>
  zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': rels(['officeDocument', 'show/main.xml']),
    'show/main.xml': '<p:presentation><p:sldId id="256" r:id="r1"/></p:presentation>',
    'show/_rels/main.xml.rels': rels(['slide', 's.xml']),
    'show/s.xml': slide,
    'show/_rels/s.xml.rels': rels(...targets),
    ...parts,
  });

/** An OLE container with streams. */
export const ole = (streams: Record<string, Buffer>) => {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${name}`, content);
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer);
};

/** A record of a presentation before 2007. */
export type PptRecord = [type: number, content: Buffer | PptRecord[], instance?: number];

function bytesOf([type, content, instance = 0]: PptRecord): Buffer {
  const isContainer = Array.isArray(content);
  const body = isContainer ? Buffer.concat(content.map(bytesOf)) : content;
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (isContainer ? 0x0f : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** A string of a comment, or of headers and footers, whose instance says what it is. */
export const pptString = (text: string, instance = 0): PptRecord => [4026, Buffer.from(text, 'utf16le'), instance];

/** A presentation before 2007. */
export const oldPresentation = (...records: PptRecord[]) =>
  ole({ 'PowerPoint Document': Buffer.concat(records.map(bytesOf)) });

/** A record of a workbook before 2007. */
export function xlsRecord(type: number, ...parts: (number[] | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** A file as the packager of Windows keeps it. */
export const packed = (name: string, content: string) => {
  const size = (bytes: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(bytes.length);
    return Buffer.concat([head, bytes]);
  };
  const path = Buffer.from(`C:\\tmp\\${name}\0`);
  const head = Buffer.concat([
    Buffer.from('0200', 'hex'),
    Buffer.from(`${name}\0`),
    path,
    Buffer.from('00000300', 'hex'),
  ]);
  return ole({ '\x01Ole10Native': size(Buffer.concat([head, size(path), size(Buffer.from(content))])) });
};
