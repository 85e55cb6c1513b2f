import { isAscii, isUtf8 } from 'node:buffer';
import msg, { type FieldsData } from '@kenjiuno/msgreader';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { readHtmlText } from './html-text.js';
import { withCharset } from './mail-charset.js';
import { readRtf } from './rtf.js';
import { ExtractionError, SectionCollector } from './sections.js';
import { signedContent } from './smime.js';
import { decode, encodingOfCodePage } from './text/encodings.js';
import { guessEncoding } from './text/guess-encoding.js';
import { addText, decodeAnyText } from './text/text-file.js';
import { markedEncoding, unmarkedEncoding } from '../inspection/wide-text.js';

/** Parts of a mail inside one another. */
const MAX_NESTING = 50;

/** Signatures around one another. */
const MAX_SIGNATURES = 3;

/** Bytes in which the first line of a mail's head ends. */
const HEADER_BYTES = 512;

/** A mail as it is written into a section. */
export interface Mail {
  from?: string;
  to?: string;
  cc?: string;
  date?: string;
  subject?: string;
  /** Lines of what else it says: of an appointment, when and where it is. */
  details?: string[];
  text: string;
  attachments: string[];
}

/** Share of its page's text from which the text of a mail says the same. Shorter ones only ask for another program. */
const LEAST_SHARE = 0.25;

/** The content of a mail that is encrypted or signed as a whole. */
const SEALED = /^application\/(?:x-)?pkcs7-mime$/i;

const SEALED_TEXT = '(This mail is encrypted with S/MIME. Its text cannot be read.)';

/** Pictures and signatures, which have no text. */
const WITHOUT_TEXT = /^image\/|pkcs7|pgp-signature/i;

/** Names of attachments that mail servers and calendars send without one. */
const NAMES = new Map([
  ['message/rfc822', 'message.eml'],
  ['text/calendar', 'invite.ics'],
  ['message/delivery-status', 'delivery status.txt'],
  ['message/disposition-notification', 'receipt.txt'],
  ['text/rfc822-headers', 'headers.txt'],
]);

const nameOf = ({ filename, mimeType }: Attachment): string => filename || (NAMES.get(mimeType) ?? '');

/** Names of the parts of a page: some programs call them binary data. */
const PAGE_PART = /\.(?:png|jpe?g|gif|bmp|svg|webp|ico|woff2?|ttf|otf|eot|css|js)$/i;

/** Whether an attachment belongs to the page of a mail. A document can stand beside the page, and be shown in it, too. */
const isOfPage = ({ related, mimeType, disposition, filename }: Attachment): boolean =>
  related === true &&
  (/^(?:image|font)\/|css|javascript/i.test(mimeType) ||
    PAGE_PART.test(filename ?? '') ||
    (/^text\/(?:html|xml)$/i.test(mimeType) && disposition !== 'attachment'));

/** Reads a mail or a saved web page in MIME, or the mails of a mailbox, each in a section. */
export async function readMails(bytes: Buffer, out: SectionCollector): Promise<void> {
  const wide = markedEncoding(bytes) ?? unmarkedEncoding(bytes);
  const mails = mailsOf(wide === null || wide === 'utf-8' ? bytes : Buffer.from(decode(bytes, wide)));
  let failure: Error | undefined;
  for (const [index, mail] of mails.entries()) {
    if (out.isFull) break;
    if (mails.length > 1) out.begin('part', `mail ${index + 1}`);
    // A broken mail does not take those after it.
    await readMime(Buffer.from(mail, 'latin1'), out).catch((error: Error) => (failure = error));
  }
  if (failure === undefined) return;
  if (!out.hasText) throw failure;
  out.facts.isDamaged = true;
}

/** Where a mail of a mailbox begins: before its head. Public archives write ` at ` in addresses. */
const MAILBOX_LINE = /^From \S+(?: at \S+)? +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [^\n]*\n(?=[!-9;-~]+:)/gm;

/** The mark before a line of a mail that would begin another one. */
const QUOTED_FROM = /^>(?=>*From )/gm;

/** The mails of a mailbox, each byte as a character; one for other files, without what programs put before it. */
function mailsOf(bytes: Buffer): string[] {
  const text = bytes.toString('latin1').replace(/^(?:ï»¿|\s)+/, '');
  if (!text.startsWith('From ')) {
    // Apple Mail writes the length of the mail before it, and its own marks behind it.
    const length = /^(\d+) *\n/.exec(text);
    return [length === null ? text : text.slice(length[0].length, length[0].length + Number(length[1]))];
  }
  return text
    .split(MAILBOX_LINE)
    .filter((mail) => mail.trim() !== '')
    .map((mail) => mail.replace(QUOTED_FROM, ''));
}

/** Reads a mail with the documents that it has as attachments. */
async function readMime(bytes: Buffer, out: SectionCollector): Promise<void> {
  const mail = await parse(withoutLaterLines(bytes, out));
  const { text, html, attachments } = await opened(mail);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  // The parts of a saved page, of which pictures have no names.
  const isPage = /^multipart\/related/i.test(header('content-type') ?? '');
  const attached = attachments.filter((one) => !isOfPage(one) && !((isPage || one.related) && nameOf(one) === ''));
  writeMail(out, {
    from: addressesOf(mail.from),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    // As its sender wrote it: in another time zone, it may be another day.
    date: header('date'),
    subject: mail.subject,
    text:
      fullerText(text?.trim() ?? '', html ? readHtmlText(Buffer.from(html), 'text/html; charset=utf-8') : '') ||
      (attachments.some(({ mimeType }) => SEALED.test(mimeType)) ? SEALED_TEXT : ''),
    attachments: attached.map((attachment) => nameOf(attachment) || attachment.mimeType),
  });
  for (const attachment of attached)
    if (!WITHOUT_TEXT.test(attachment.mimeType)) out.embed(() => bytesOf(attachment), nameOf(attachment));
}

/** Lines of a mail that are read, as the largest attachment has. The parser keeps an object for each. */
const MAX_LINES = 300_000;

const LINE_FEED = 0x0a;

function withoutLaterLines(bytes: Buffer, out: SectionCollector): Buffer {
  let end = 0;
  for (let count = 0; count < MAX_LINES; count++) {
    end = bytes.indexOf(LINE_FEED, end) + 1;
    if (end === 0) return bytes;
  }
  if (end < bytes.length) out.cutShort();
  return bytes.subarray(0, end);
}

const fullerText = (plain: string, page: string): string =>
  plain !== '' && plain.length >= page.length * LEAST_SHARE ? plain : page;

/** The header in which a text says that its lines flow on, and quoted lines that do. */
const CONTENT_TYPE = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim;
const FLOWED = /\bformat=("?)flowed\b/gi;
const QUOTED = /^>[^\n]* \r?\n>/m;

/** A mail in which quoted lines stay lines: the parser joins them with the marks of the quotation between. */
function withQuotedLines(bytes: Buffer): Buffer {
  const mail = bytes.toString('latin1');
  if (!QUOTED.test(mail)) return bytes;
  return Buffer.from(
    mail.replace(CONTENT_TYPE, (header) => header.replace(FLOWED, 'format=$1fixed')),
    'latin1',
  );
}

async function parse(bytes: Buffer): Promise<Email> {
  const mail = await PostalMime.parse(withCharset(withQuotedLines(bytes)), {
    maxNestingDepth: MAX_NESTING,
    rfc822Attachments: false,
  });
  if (mail.headers.length === 0) throw new ExtractionError('broken');
  return mail;
}

/** The mail inside of one that is signed as a whole, which may be signed more than once. */
async function opened(mail: Email): Promise<Email> {
  let current = mail;
  for (let count = 0; count < MAX_SIGNATURES; count++) {
    const sealed = current.attachments.find(({ mimeType }) => SEALED.test(mimeType));
    const content = sealed === undefined ? null : signedContent(bytesOf(sealed));
    if (content === null || !isMime(content)) break;
    current = await parse(content);
  }
  return current;
}

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));

const isMime = (bytes: Buffer): boolean => /^[\w-]+:/.test(bytes.toString('latin1', 0, HEADER_BYTES).trimStart());

/** Reads a file that is signed with S/MIME: a mail, or a document of any kind. */
export async function readSmime(bytes: Buffer, out: SectionCollector): Promise<void> {
  const content = isMime(bytes) ? bytes : signedContent(bytes);
  if (content === null) throw new ExtractionError('encrypted');
  if (isMime(content)) return readMime(content, out);
  const text = decodeAnyText(content);
  if (text === null) out.embed(() => content);
  else addText(text, out);
}

function addressesOf(given: Address | Address[] | undefined): string {
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return all
    .map((one) => (one.group ? `${one.name}: ${addressesOf(one.group)}` : withName(one.name, one.address)))
    .join(', ');
}

type MsgReader = InstanceType<typeof msg.default>;

/** @param encoding of texts that are not in Unicode */
function openMsg(bytes: Buffer, encoding?: string): MsgReader {
  const reader = new msg.default(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  if (encoding !== undefined) reader.parserConfig = { ansiEncoding: encoding };
  return reader;
}

/** The encoding of a mail of Outlook that has its texts in a code page, which not all of them name. */
function encodingOfMsg({ messageCodepage, subject = '', body = '' }: FieldsData): string {
  if (messageCodepage) return encodingOfCodePage(messageCodepage);
  // Each byte is a character here.
  const letters = Buffer.from(`${subject}\n${body}`, 'latin1');
  return isAscii(letters) ? 'windows-1252' : isUtf8(letters) ? 'utf-8' : guessEncoding(letters);
}

/** Reads a mail of Outlook. @param isNarrow whether its texts are in a code page, as older versions of it write them */
export function readMsg(bytes: Buffer, isNarrow: boolean, out: SectionCollector): void {
  const plain = openMsg(bytes);
  const reader = isNarrow ? openMsg(bytes, encodingOfMsg(plain.getFileData())) : plain;
  const mail = reader.getFileData();
  if (mail.error) throw new ExtractionError('broken');
  const recipients = (type: string) =>
    (mail.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === type)
      .map(({ name, smtpAddress, email }) => withName(name, smtpAddress ?? email))
      .join(', ');
  writeMail(out, {
    from: withName(mail.senderName, mail.senderSmtpAddress ?? mail.senderEmail),
    to: recipients('to'),
    cc: recipients('cc'),
    date: mail.messageDeliveryTime ?? mail.clientSubmitTime,
    subject: mail.subject,
    details: detailsOf(mail),
    text: bodyOf(mail),
    attachments: (mail.attachments ?? []).map(({ fileName, name }) => fileName ?? name ?? 'attachment'),
  });
  for (const attachment of mail.attachments ?? []) {
    const { fileName, name, attachMimeTag: type = '' } = attachment;
    if (!WITHOUT_TEXT.test(type)) out.embed(() => reader.getAttachment(attachment).content, fileName ?? name);
  }
}

type Detail = readonly [label: string, key: keyof FieldsData];

/** What items of Outlook have beside their text, by the beginning of their class. */
const DETAILS: readonly [RegExp, readonly Detail[]][] = [
  [
    /^IPM\.(?:Appointment|Schedule)/i,
    [
      ['Start', 'apptStartWhole'],
      ['End', 'apptEndWhole'],
      ['Location', 'apptLocation'],
    ],
  ],
  [
    /^IPM\.Contact/i,
    [
      ['Company', 'companyName'],
      ['Department', 'departmentName'],
      ['Position', 'title'],
      ['E-mail', 'email1EmailAddress'],
      ['Business phone', 'businessTelephoneNumber'],
      ['Mobile phone', 'mobileTelephoneNumber'],
      ['Home phone', 'homeTelephoneNumber'],
      ['Business fax', 'businessFaxNumber'],
      ['Business address', 'workAddress'],
      ['Address', 'postalAddress'],
      ['Web page', 'businessHomePage'],
    ],
  ],
];

/** An address in one line. */
const inOneLine = (value: string): string =>
  value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ');

function detailsOf(item: FieldsData): string[] {
  const details = DETAILS.find(([pattern]) => pattern.test(item.messageClass ?? ''))?.[1] ?? [];
  return details.flatMap(([label, key]) => {
    const value = item[key];
    return typeof value === 'string' && value.trim() !== '' ? [`${label}: ${inOneLine(value)}`] : [];
  });
}

export const withName = (name = '', address = ''): string =>
  name === '' || name === address ? address : address === '' ? name : `${name} <${address}>`;

/** The text of a mail of Outlook, which has it in one of these forms. */
export function bodyOf({
  body,
  bodyHtml,
  html,
  compressedRtf,
}: Pick<FieldsData, 'body' | 'bodyHtml' | 'html' | 'compressedRtf'>): string {
  if (body?.trim()) return body;
  if (bodyHtml?.trim()) return readHtmlText(Buffer.from(bodyHtml), 'text/html; charset=utf-8');
  if (html?.length) return readHtmlText(html, '');
  if (!compressedRtf?.length) return '';
  const inner = new SectionCollector();
  readRtf(Buffer.from(decompressRTF([...compressedRtf])), inner);
  return inner
    .collected()
    .sections.map(({ text }) => text)
    .join('\n');
}

export function writeMail(out: SectionCollector, { text, attachments, details = [], ...head }: Mail): void {
  const lines = Object.entries(head).filter(([, value]) => value);
  for (const [name, value] of lines) out.add(`${name[0]!.toUpperCase()}${name.slice(1)}: ${value}\n`);
  for (const line of details) out.add(`${line}\n`);
  if (attachments.length > 0) out.add(`Attachments: ${attachments.join(', ')}\n`);
  out.add(`\n${text}`);
}
