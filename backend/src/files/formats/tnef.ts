import { bodyOf, withName, writeMail } from './mail.js';
import { decode, encodingOfCodePage } from './text/encodings.js';
import { ExtractionError, type SectionCollector } from './sections.js';

/** Attributes of the transport-neutral encapsulation format ([MS-OXTNEF]), by the lower half of their tag. */
const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  fileData: 0x800f,
  fileTitle: 0x8010,
  newFile: 0x9002,
  properties: 0x9003,
  fileProperties: 0x9005,
  codePage: 0x9007,
} as const;

/** Properties of MAPI by their id. */
const PROPERTY = {
  subject: 0x0037,
  sentAt: 0x0039,
  sender: 0x0042,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  to: 0x0e04,
  cc: 0x0e03,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  fileData: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
} as const;

/** Types of values that have their length before them; others have a fixed one. */
const TYPE = { text: 0x1e, wideText: 0x1f, bytes: 0x102, object: 0x0d, time: 0x40 } as const;

const MULTIPLE = 0x1000;

/** Ids from which a property has a name, as a number or a text. */
const NAMED = 0x8000;

const FIXED_BYTES: Record<number, number> = { 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16 };

/** The class before an embedded message. */
const CLASS_BYTES = 16;

/** Hundreds of nanoseconds from 1601 to 1970, and in a millisecond. */
const EPOCH = 116_444_736_000_000_000n;
const TICKS = 10_000n;

interface AttachedFile {
  name: string;
  content: Buffer | undefined;
}

type Properties = Map<number, { type: number; value: Buffer }>;

/** Reads `winmail.dat`: a mail of Outlook as Exchange sends it to other programs, with the documents that it has attached. */
export function readTnef(bytes: Buffer, out: SectionCollector): void {
  let encoding = 'windows-1252';
  let message: Properties = new Map();
  const old: { subject?: string; body?: string } = {};
  const files: AttachedFile[] = [];
  const text = (value: Buffer) => decode(value, encoding).split('\0', 1)[0]!;
  const textOf = (properties: Properties, id: number) => {
    const found = properties.get(id);
    return found === undefined ? '' : found.type === TYPE.wideText ? wide(found.value) : text(found.value);
  };
  for (const { id, value } of attributesOf(bytes)) {
    const file = files.at(-1);
    if (id === ATTRIBUTE.codePage && value.length >= 4) encoding = encodingOfCodePage(value.readUInt32LE());
    else if (id === ATTRIBUTE.subject) old.subject = text(value);
    else if (id === ATTRIBUTE.body) old.body = text(value);
    else if (id === ATTRIBUTE.properties) message = propertiesOf(value);
    else if (id === ATTRIBUTE.newFile) files.push({ name: '', content: undefined });
    else if (file === undefined) continue;
    else if (id === ATTRIBUTE.fileTitle) file.name ||= text(value);
    else if (id === ATTRIBUTE.fileData) file.content ??= value;
    else if (id === ATTRIBUTE.fileProperties) {
      const own = propertiesOf(value);
      const data = own.get(PROPERTY.fileData);
      file.name = textOf(own, PROPERTY.longFileName) || file.name || textOf(own, PROPERTY.fileName);
      file.content ??= data?.type === TYPE.object ? data.value.subarray(CLASS_BYTES) : data?.value;
    }
  }
  const rtf = message.get(PROPERTY.rtf)?.value;
  const html = message.get(PROPERTY.html)?.value;
  writeMail(out, {
    from: withName(
      textOf(message, PROPERTY.senderName) || textOf(message, PROPERTY.sender),
      textOf(message, PROPERTY.senderAddress),
    ),
    to: textOf(message, PROPERTY.to),
    cc: textOf(message, PROPERTY.cc),
    date: dateOf(message.get(PROPERTY.sentAt)),
    subject: textOf(message, PROPERTY.subject) || old.subject,
    text: bodyOf({
      body: textOf(message, PROPERTY.body) || old.body,
      ...(html && { html }),
      ...(rtf && { compressedRtf: rtf }),
    }),
    attachments: files.map(({ name }) => name || 'attachment'),
  });
  for (const { name, content } of files) out.embed(() => content, name);
}

const wide = (value: Buffer): string => value.toString('utf16le').split('\0', 1)[0]!;

function dateOf(time: { type: number; value: Buffer } | undefined): string {
  if (time?.type !== TYPE.time) return '';
  const date = new Date(Number((time.value.readBigUInt64LE() - EPOCH) / TICKS));
  return Number.isNaN(date.getTime()) ? '' : date.toUTCString();
}

/** Attributes in their order: a level, a tag, a length, the value, a sum. The last one may be cut. */
function attributesOf(bytes: Buffer): { id: number; value: Buffer }[] {
  const attributes: { id: number; value: Buffer }[] = [];
  for (let at = 6; at + 9 <= bytes.length;) {
    const start = at + 9;
    const end = start + bytes.readUInt32LE(at + 5);
    attributes.push({ id: bytes.readUInt16LE(at + 1), value: bytes.subarray(start, end) });
    at = end + 2;
  }
  if (attributes.length === 0) throw new ExtractionError('broken');
  return attributes;
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** The first value of each property; none behind the first one that is cut. */
function propertiesOf(bytes: Buffer): Properties {
  const properties: Properties = new Map();
  let at = 4;
  const number = (): number => {
    if (at + 4 > bytes.length) return 0;
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  while (at + 4 <= bytes.length) {
    const head = number();
    const [given, id] = [head & 0xffff, head >>> 16];
    if (id >= NAMED) {
      at += CLASS_BYTES;
      const isText = number() === 1;
      const size = number();
      if (isText) at += padded(size);
    }
    const type = given & ~MULTIPLE;
    const hasLength = Object.values<number>(TYPE).includes(type) && type !== TYPE.time;
    const count = hasLength || (given & MULTIPLE) !== 0 ? number() : 1;
    for (let index = 0; index < count && at < bytes.length; index++) {
      const length = hasLength ? number() : (FIXED_BYTES[type] ?? 4);
      const value = bytes.subarray(at, at + length);
      if (value.length < length) return properties;
      if (index === 0) properties.set(id, { type, value });
      at += padded(length);
    }
  }
  return properties;
}
