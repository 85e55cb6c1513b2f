import { decrypt } from 'officecrypto-tool';
import type { OleFile } from './ole.js';

/** The passwords of Excel and of PowerPoint for files that are protected against changes alone: both open them unasked. */
const PASSWORDS = ['VelvetSweatshop', '/01Hannes Ruescher/01'];

/** Rounds of the hash of a password, of which Office writes 100,000: some 0.1 s. */
const MAX_ROUNDS = 1_000_000;

/** The first bytes of an archive and of an OLE container: a wrong password gives others. */
const STARTS = ['504b0304', 'd0cf11e0'];

/** A protected document as it opens without asking for a password; null for one that has its own. */
export async function openedUnasked(bytes: Buffer, ole: OleFile): Promise<Buffer | null> {
  const rounds = /spinCount="(\d+)"/.exec(ole.stream('EncryptionInfo')?.toString('latin1') ?? '')?.[1];
  if (Number(rounds ?? 0) > MAX_ROUNDS) return null;
  for (const password of PASSWORDS) {
    const opened = await decrypt(bytes, { password }).catch(() => null);
    if (opened !== null && STARTS.includes(opened.toString('hex', 0, 4))) return opened;
  }
  return null;
}
