import { decrypt } from 'officecrypto-tool';
import type { OleFile } from './ole.js';

/** The passwords of Excel and of PowerPoint for files that are protected against changes alone: both open them unasked. */
const PASSWORDS = ['VelvetSweatshop', '/01Hannes Ruescher/01'];

/** Rounds of the hash of a password, of which Office writes 100,000 (some 0.1 s), and bits and bytes of what it derives. */
const MAX_NUMBER = 1_000_000;
const NUMBERS = /(?:spinCount|keyBits|blockSize)(?:\s*=\s*["'](\d+)["'])?/g;

/** Bytes of a workbook with the obfuscation of Excel 95 that are opened (1 s): the library takes the square of them. */
const MAX_OBFUSCATED_BYTES = 64 * 1024;

/** The first bytes of an archive and of an OLE container: a wrong password gives others. */
const STARTS = ['504b0304', 'd0cf11e0'];

/** A protected document as it opens without asking for a password; null for one that has its own. */
export async function openedUnasked(bytes: Buffer, ole: OleFile): Promise<Buffer | null> {
  const numbers = (ole.stream('EncryptionInfo')?.toString('latin1') ?? '').matchAll(NUMBERS);
  if ([...numbers].some(([, number]) => number === undefined || Number(number) > MAX_NUMBER)) return null;
  const book = ole.stream('Workbook') ?? ole.stream('Book');
  if (book !== null && book.length > MAX_OBFUSCATED_BYTES && isObfuscated(book)) return null;
  for (const password of PASSWORDS) {
    const opened = await decrypt(bytes, { password }).catch(() => null);
    if (opened !== null && STARTS.includes(opened.toString('hex', 0, 4))) return opened;
  }
  return null;
}

const FILE_PASS = 47;
const WRITE_PROTECT = 134;
const EXCEL_97 = 0x600;

/** Whether a workbook has the obfuscation of Excel 95, which its second record says, or the third. */
function isObfuscated(book: Buffer): boolean {
  const [size, version] = [book.readUInt16LE(2), book.readUInt16LE(4)];
  const second = book.subarray(4 + size);
  const pass = second.length > 4 && second.readUInt16LE(0) === WRITE_PROTECT ? second.subarray(4) : second;
  if (pass.length < 6 || pass.readUInt16LE(0) !== FILE_PASS) return false;
  return version !== EXCEL_97 || pass.readUInt16LE(4) === 0;
}
