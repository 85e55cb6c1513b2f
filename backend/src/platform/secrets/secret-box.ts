import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_LENGTH, secretsIn } from '../../config/app-secret.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Format of a sealed value: `v2.<key id>.<base64url of nonce, tag and ciphertext>`. */
const BOUND = 'v2';

/**
 * The same around a value that no listed secret opened when it was bound to this cell: one of the first format, or one of
 * another cell as JSON.
 */
const WRAPPED = 'v2w';

/** The column and row in which a sealed value is stored. It opens nowhere else. */
export interface Cell {
  table: string;
  column: string;
  row: number | string;
}

/** A sealed value and the cell that it was sealed for; null for the first format. */
interface InnerValue {
  sealed: string;
  cell: Cell | null;
}

/** One secret of APP_SECRET. Every key is derived from it; one derived key reveals nothing about another. */
class RootKey {
  /** Names the secret in sealed values. */
  readonly id: string;

  constructor(private readonly secret: string) {
    this.id = this.derive('id').subarray(0, 6).toString('base64url');
  }

  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.secret, 'tanya', purpose, 32));
  }
}

/**
 * Encrypts stored secrets and signs cookies under APP_SECRET. Its first secret seals and signs; the values and cookies of
 * the others still open and are valid.
 */
export class SecretBox {
  /**
   * Whether values of the first format open, which is `<base64url of nonce, tag and ciphertext>` and not bound to a cell.
   * Only until all of them are bound (`bindSecrets`).
   */
  acceptsUnbound = false;
  private readonly current: RootKey;
  private readonly roots: readonly RootKey[];

  /** @param secrets a value of APP_SECRET */
  constructor(secrets: string) {
    this.roots = secretsIn(secrets).map((secret) => new RootKey(secret));
    this.current = this.roots[0]!;
  }

  /** The keys of one purpose, that of the current secret first. */
  keys(purpose: string): Buffer[] {
    return this.roots.map((root) => root.derive(purpose));
  }

  /** Begins every value that is sealed under the current secret. */
  get currentPrefix(): string {
    return `${BOUND}.${this.current.id}.`;
  }

  /** Encrypts for one cell: AES-256-GCM under a key of its column; version, key id and cell are authenticated. */
  seal(text: string, cell: Cell): string {
    return this.encrypt(BOUND, text, cell);
  }

  /** Decrypts. @returns null when the value was sealed under another secret or for another cell, or was modified */
  open(sealed: string, cell: Cell): string | null {
    if (!sealed.includes('.')) return this.acceptsUnbound ? this.openUnbound(sealed) : null;
    return this.decrypt(BOUND, sealed, cell);
  }

  /**
   * The value as it is to be stored: sealed for its cell under the current secret. One that no listed secret opens stays
   * as it is; one of the first format is wrapped, so that it is bound and a secret that is listed later opens it.
   */
  resealed(sealed: string, cell: Cell): string {
    const inner = this.unwrapped(sealed, cell);
    const text = this.textIn(inner);
    if (text !== null) return this.seal(text, cell);
    const isCurrent = sealed.startsWith(`${WRAPPED}.${this.current.id}.`);
    const isBound = inner.sealed === sealed && inner.cell !== null;
    return isBound || isCurrent ? sealed : this.wrap(inner, cell);
  }

  /**
   * The value of one cell as it is to be stored in another. One that no listed secret opens is wrapped, so that a secret
   * that is listed later opens it.
   */
  moved(sealed: string, from: Cell, to: Cell): string {
    const inner = this.unwrapped(sealed, from);
    const text = this.textIn(inner);
    return text === null ? this.wrap(inner, to) : this.seal(text, to);
  }

  sign(text: string): string {
    return signatures(text, this.keys('sign').slice(0, 1))[0]!.toString();
  }

  verify(text: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return signatures(text, this.keys('sign')).some(
      (expected) => expected.length === given.length && timingSafeEqual(expected, given),
    );
  }

  private encrypt(version: string, text: string, cell: Cell): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.derive(purposeOf(cell)), nonce);
    cipher.setAAD(contextOf(version, this.current.id, cell));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    return `${version}.${this.current.id}.${bytes.toString('base64url')}`;
  }

  private decrypt(version: string, sealed: string, cell: Cell): string | null {
    const [given, id, body = ''] = sealed.split('.');
    const root = this.roots.find((each) => each.id === id);
    if (given !== version || root === undefined) return null;
    return decipher(body, root.derive(purposeOf(cell)), contextOf(version, root.id, cell));
  }

  /** The value inside all wraps that a listed secret opens. */
  private unwrapped(sealed: string, cell: Cell): InnerValue {
    if (!sealed.includes('.')) return { sealed, cell: null };
    const inner = this.decrypt(WRAPPED, sealed, cell);
    if (inner === null) return { sealed, cell };
    if (!inner.startsWith('{')) return { sealed: inner, cell: null };
    const moved = JSON.parse(inner) as { sealed: string; cell: Cell };
    return this.unwrapped(moved.sealed, moved.cell);
  }

  private wrap(inner: InnerValue, cell: Cell): string {
    return this.encrypt(WRAPPED, inner.cell === null ? inner.sealed : JSON.stringify(inner), cell);
  }

  private textIn({ sealed, cell }: InnerValue): string | null {
    return cell === null ? this.openUnbound(sealed) : this.decrypt(BOUND, sealed, cell);
  }

  private openUnbound(sealed: string): string | null {
    for (const key of this.keys('seal')) {
      const text = decipher(sealed, key, null);
      if (text !== null) return text;
    }
    return null;
  }
}

const purposeOf = ({ table, column }: Cell): string => `seal ${table}.${column}`;

const contextOf = (version: string, keyId: string, { table, column, row }: Cell): Buffer =>
  Buffer.from(JSON.stringify([version, keyId, table, column, String(row)]));

function decipher(body: string, key: Buffer, context: Buffer | null): string | null {
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  if (context !== null) cipher.setAAD(context);
  try {
    return cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)).toString('utf8') + cipher.final('utf8');
  } catch {
    return null;
  }
}

const signatures = (text: string, keys: readonly Buffer[]): Buffer[] =>
  keys.map((key) => Buffer.from(createHmac('sha256', key).update(text).digest('base64url')));

/**
 * Secret of an installation without APP_SECRET: generated once and stored in `dataDir`, which must exist. It may be a list
 * like APP_SECRET.
 */
export function storedSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  if (!existsSync(path)) createSecret(path);
  const secret = readFileSync(path, 'utf8').trim();
  if (secretsIn(secret).some(({ length }) => length < SECRET_LENGTH)) {
    throw new Error(
      `${path} must have ${SECRET_LENGTH} characters or more. Write back the secret of this installation, or delete the file of a new one.`,
    );
  }
  return secret;
}

/** Creates the file whole or not at all: what it sealed would be lost with a secret that a crash cut off. */
function createSecret(path: string): void {
  const partial = `${path}.${process.pid}.part`;
  writeFileSync(partial, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
  try {
    linkSync(partial, path);
  } catch (error) {
    // Another process may have created it first. Some mounted folders have no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}
