import msg, { type FieldsData } from '@kenjiuno/msgreader';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { readHtmlText } from './html-text.js';
import { readRtf } from './rtf.js';
import { ExtractionError, SectionCollector } from './sections.js';

/** Parts of a mail inside one another. */
const MAX_NESTING = 50;

interface Mail {
  from?: string;
  to?: string;
  cc?: string;
  date?: string;
  subject?: string;
  text: string;
  attachments: string[];
}

/** The content of a mail that is encrypted or signed as a whole. */
const SEALED = /^application\/(?:x-)?pkcs7-mime$/i;

const SEALED_TEXT = '(This mail is encrypted or signed with S/MIME. Its text cannot be read.)';

/** Pictures and signatures, which have no text. */
const WITHOUT_TEXT = /^image\/|pkcs7|pgp-signature/i;

/** Names of attachments that mail servers and calendars send without one. */
const NAMES = new Map([
  ['message/rfc822', 'message.eml'],
  ['text/calendar', 'invite.ics'],
]);

const nameOf = ({ filename, mimeType }: Attachment): string => filename || (NAMES.get(mimeType) ?? '');

/** Reads a mail or a saved web page in MIME, decoded, and the documents that it has as attachments. */
export async function readMime(bytes: Buffer, out: SectionCollector): Promise<void> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: MAX_NESTING, rfc822Attachments: false });
  if (mail.headers.length === 0) throw new ExtractionError('broken');
  const attached = mail.attachments.filter(({ related }) => !related);
  write(out, {
    from: addressesOf(mail.from),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    date: mail.date,
    subject: mail.subject,
    text:
      mail.text?.trim() ||
      (mail.html ? readHtmlText(Buffer.from(mail.html), 'text/html; charset=utf-8') : '') ||
      (mail.attachments.some(({ mimeType }) => SEALED.test(mimeType)) ? SEALED_TEXT : ''),
    attachments: attached.map((attachment) => nameOf(attachment) || attachment.mimeType),
  });
  for (const attachment of attached) {
    const { mimeType, content } = attachment;
    const load = () => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content));
    if (!WITHOUT_TEXT.test(mimeType)) out.embed(load, nameOf(attachment));
  }
}

function addressesOf(given: Address | Address[] | undefined): string {
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return all
    .map((one) =>
      one.group ? `${one.name}: ${addressesOf(one.group)}` : one.name ? `${one.name} <${one.address}>` : one.address,
    )
    .join(', ');
}

/** Reads a mail of Outlook. */
export function readMsg(bytes: Buffer, out: SectionCollector): void {
  const reader = new msg.default(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
  const mail = reader.getFileData();
  if (mail.error) throw new ExtractionError('broken');
  const recipients = (type: string) =>
    (mail.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === type)
      .map(({ name, smtpAddress, email }) => withName(name, smtpAddress ?? email))
      .join(', ');
  write(out, {
    from: withName(mail.senderName, mail.senderSmtpAddress ?? mail.senderEmail),
    to: recipients('to'),
    cc: recipients('cc'),
    date: mail.messageDeliveryTime ?? mail.clientSubmitTime,
    subject: mail.subject,
    text: bodyOf(mail),
    attachments: (mail.attachments ?? []).map(({ fileName, name }) => fileName ?? name ?? 'attachment'),
  });
  for (const attachment of mail.attachments ?? []) {
    const { fileName, name, attachMimeTag: type = '' } = attachment;
    if (!WITHOUT_TEXT.test(type)) out.embed(() => reader.getAttachment(attachment).content, fileName ?? name);
  }
}

const withName = (name = '', address = ''): string =>
  name === '' || name === address ? address : address === '' ? name : `${name} <${address}>`;

function bodyOf({ body, bodyHtml, html, compressedRtf }: FieldsData): string {
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

function write(out: SectionCollector, { text, attachments, ...head }: Mail): void {
  const lines = Object.entries(head).filter(([, value]) => value);
  for (const [name, value] of lines) out.add(`${name[0]!.toUpperCase()}${name.slice(1)}: ${value}\n`);
  if (attachments.length > 0) out.add(`Attachments: ${attachments.join(', ')}\n`);
  out.add(`\n${text}`);
}
