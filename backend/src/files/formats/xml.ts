import { SaxesParser } from 'saxes';
import { ExtractionError } from './sections.js';
import { decode, decoderOfNode, encodingNamed } from './text/encodings.js';

/** Characters per parser call. Reading stops within one chunk of the limit. */
const CHUNK = 64 * 1024;

/** Elements inside one another. Real documents have some 50; each level costs a frame of the readers' stack. */
const MAX_DEPTH = 500;

export interface XmlElement {
  /** Without its prefix. */
  name: string;
  /** By name without prefix. */
  attributes: Record<string, string>;
}

export interface XmlHandler {
  open?: (element: XmlElement) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
  /** Ends the reading. */
  isDone?: () => boolean;
}

/** A name without its prefix. Documents name the same elements by different prefixes. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export const decodeXml = (bytes: Uint8Array): string => decode(bytes, encodingOf(bytes));

/** The mark of an encoding, or its first `<`, as two bytes in hexadecimal. */
const WIDE: Record<string, string> = { fffe: 'utf-16le', '3c00': 'utf-16le', feff: 'utf-16be', '003c': 'utf-16be' };

const encodingOf = (bytes: Uint8Array): string =>
  WIDE[Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2)).toString('hex')] ??
  declaredEncoding(bytes);

function declaredEncoding(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  const declared = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  return encodingNamed(declared) ?? 'utf-8';
}

/**
 * Reads a document in one pass. What stands before an error has been handled.
 * @throws ExtractionError `broken` for bad XML, `hostile` for deep one
 */
export const readXml = (xml: string, handler: XmlHandler): void => readPieces(pieces(xml), handler);

/**
 * Reads a document as `readXml` does, from its bytes. It is never in memory as one text, which takes up to twice its bytes.
 */
export const readXmlBytes = (bytes: Uint8Array, handler: XmlHandler): void => readPieces(xmlPieces(bytes), handler);

function* pieces(xml: string): Generator<string> {
  for (let at = 0; at < xml.length; at += CHUNK) yield xml.slice(at, at + CHUNK);
}

/** The text of a document in pieces. */
export function* xmlPieces(bytes: Uint8Array): Generator<string> {
  const decoder = decoderOfNode(encodingOf(bytes));
  if (decoder === null) {
    yield* pieces(decodeXml(bytes));
    return;
  }
  for (let at = 0; at < bytes.length; at += CHUNK)
    yield decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true });
}

function readPieces(xml: Iterable<string>, { open, text, close, isDone }: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false });
  let depth = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new ExtractionError('hostile');
    open?.({ name: localName(tag.name), attributes: localNames(tag.attributes) });
  });
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.on('closetag', (tag) => {
    depth -= 1;
    close?.(localName(tag.name));
  });
  parser.on('error', () => {
    throw new ExtractionError('broken');
  });
  for (const piece of xml) {
    if (isDone?.()) return;
    parser.write(piece);
  }
}

function localNames(attributes: Record<string, string>): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name in attributes) named[localName(name)] = attributes[name]!;
  return named;
}

/** Whether an attribute of Office files is on: it may be `1`, `true` or `on`, or have no value. */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || !/^(?:0|false|off|none)$/i.test(value);
