import { isAscii, isUtf8 } from 'node:buffer';
import { isIso2022Kr, KOREAN } from '../inspection/text-content.js';
import { decode, decoderOfNode, encodingNamed } from './text/encodings.js';
import { guessEncoding } from './text/guess-encoding.js';
import { decodeAnyText } from './text/text-file.js';

/** The charset of a part, which mails of old programs do not have. Pages in HTML name theirs in an element. */
const CHARSET = /^((?:Content-Type:|[ \t])[^<>\r\n]*charset\s*=\s*["']?)([\w.:-]+)/gim;

const PAGE_CHARSET = /<meta[^>]{0,500}charset\s*=\s*["']?([\w-]+)/i;

const BINARY = /^Content-Transfer-Encoding:\s*binary/im;

/** Charsets that say nothing about the letters. */
const UNKNOWN = /^(?:us-ascii|ascii|unknown-8bit|x-unknown|default)$/i;

/** A header of a text without a charset, with its continued lines. */
const UNNAMED = /^Content-Type:\s*text\/(?:plain|html)(?![^\r\n]*(?:\r?\n[ \t][^\r\n]*)*charset)[^;\r\n]*/gim;

/**
 * A mail in MIME whose letters have an encoding: where no part says it, that of its letters, in place of UTF-8, which
 * readers assume.
 * @returns the same bytes for other mails
 */
export function withCharset(mail: Buffer): Buffer {
  const source = mail.toString('latin1');
  const named = Array.from(source.matchAll(CHARSET), ([, , name = '']) => name).filter((name) => !UNKNOWN.test(name));
  const [first = ''] = named;
  if (!isAscii(mail) || isIso2022Kr(mail)) {
    const other = decoderOfNode(first) === null ? encodingNamed(first) : null;
    if (other !== null && named.every((name) => name === first)) return inUtf8(decode(mail, other).replace(KOREAN, ''));
    // Letters of UTF-8 in headers, or parts that name their encodings: the parser reads both. Parts in binary stay so.
    if (isUtf8(mail) || named.length > 0 || BINARY.test(source)) return mail;
    const page = encodingNamed(PAGE_CHARSET.exec(source)?.[1] ?? '');
    const text = page === null ? decodeAnyText(mail)?.text : decode(mail, page);
    return text === undefined ? mail : inUtf8(text);
  }
  const letters = Buffer.from(
    source.replace(/=([89A-F][0-9A-F])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  if (named.length > 0 || isAscii(letters) || isUtf8(letters)) return mail;
  const encoding = guessEncoding(letters);
  return Buffer.from(
    source.replace(UNNAMED, (header) => `${header}; charset=${encoding}`),
    'latin1',
  );
}

const inUtf8 = (text: string): Buffer => Buffer.from(text.replace(CHARSET, (_, before: string) => `${before}utf-8`));
