import { posix } from 'node:path';
import { type EmbeddedFile, ExtractionError } from '../sections.js';
import { decodeXml, readXml } from '../xml.js';
import { zipEntries } from '../zip-contents.js';

/** A relationship between two parts of an Office file. */
export interface Relationship {
  id: string;
  /** The last segment of the type: the same in both families of addresses that the standard has. */
  type: string;
  /** Path of the part. */
  target: string;
}

const READ_PARTS = /\.(?:xml|rels|vml|bin|html?|xhtml|txt|rtf|docx)$|^mimetype$/i;
/** Parts that hold pictures, fonts, macros and embedded documents, whatever their names. */
const OTHER_PARTS = /(?:^|\/)(?:media|fonts|embeddings|vbaproject\.bin|activex|customui|printersettings)/i;

/** Relationships to embedded documents: in their own format, or in the container of an OLE object. */
const EMBEDDED = /^(?:package|oleObject)$/;

/** Bytes of one picture or embedded document. */
const MAX_OTHER_BYTES = 32 * 1024 * 1024;

const USUAL_MAIN = ['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml'];

/** An Office file (Open Packaging Conventions). Parts are found by their relationships, never by a fixed path. */
export class OfficePackage {
  private readonly known = new Map<string, Relationship[]>();
  /** Addresses that parts link to, by the path and the id of their relationship. */
  private readonly addresses = new Map<string, Map<string, string>>();
  /** Paths without regard to case: some programs write another one than they refer to. */
  private readonly paths = new Map<string, string>();
  private types: Map<string, string> | undefined;

  /** @param loadOther gives a part that is not among `parts` */
  private constructor(
    readonly parts: Map<string, Uint8Array>,
    private readonly loadOther: (isWanted: (path: string, size: number) => boolean) => Map<string, Uint8Array>,
  ) {
    for (const path of parts.keys()) this.paths.set(path.toLowerCase(), path);
  }

  /** @throws ExtractionError */
  static open(bytes: Buffer): OfficePackage {
    const parts = zipEntries(bytes, (name) => READ_PARTS.test(name) && !OTHER_PARTS.test(name));
    return new OfficePackage(parts, (isWanted) => zipEntries(bytes, isWanted));
  }

  /** A package in one XML file ("Flat OPC"), or a document of Word 2003, which is the main part alone. */
  static openFlat(xml: string): OfficePackage {
    const parts = new Map<string, Uint8Array>();
    for (const part of xml.split(/<pkg:part\s/).slice(1)) {
      const path = /^[^>]*?\bpkg:name\s*=\s*["']\/?([^"']*)/.exec(part)?.[1];
      if (path !== undefined) parts.set(path, contentOf(part));
    }
    if (parts.size === 0) parts.set(USUAL_MAIN[0]!, Buffer.from(xml));
    return new OfficePackage(parts, () => new Map());
  }

  /** The part at a path; undefined for one that does not exist. */
  bytes(path: string): Uint8Array | undefined {
    const exact = this.parts.get(path);
    if (exact !== undefined) return exact;
    const known = this.paths.get(path.toLowerCase()) ?? this.paths.get(unescaped(path).toLowerCase());
    return known === undefined ? undefined : this.parts.get(known);
  }

  /** A picture or an embedded document at a path; undefined for one that does not exist or has too many bytes. */
  otherPart(path: string): Uint8Array | undefined {
    const wanted = new Set([path.toLowerCase(), unescaped(path).toLowerCase()]);
    const known = this.bytes(path);
    if (known !== undefined) return known;
    return this.loadOther((name, size) => wanted.has(name.toLowerCase()) && size <= MAX_OTHER_BYTES)
      .values()
      .next().value;
  }

  /** Readers of the documents that a part contains. */
  embeddedFiles(path: string): EmbeddedFile['load'][] {
    return this.relationships(path)
      .filter(({ type }) => EMBEDDED.test(type))
      .map(
        ({ target }) =>
          () =>
            this.otherPart(target),
      );
  }

  /** The XML of a part; '' for one that does not exist. */
  xml(path: string): string {
    const bytes = this.bytes(path);
    return bytes === undefined ? '' : decodeXml(bytes);
  }

  /** The relationships of a part, without those to other files. @param path '' for the package */
  relationships(path: string): readonly Relationship[] {
    const found = this.known.get(path) ?? this.readRelationships(path);
    this.known.set(path, found);
    return found;
  }

  /** The targets of a part's relationships of one type that exist. */
  targets(path: string, type: string): string[] {
    return this.relationships(path)
      .filter((relationship) => relationship.type === type && this.bytes(relationship.target) !== undefined)
      .map(({ target }) => target);
  }

  /** The address behind a link of a part; undefined for a link inside of the file. */
  address(path: string, id: string | undefined): string | undefined {
    this.relationships(path);
    return this.addresses.get(path)?.get(id ?? '');
  }

  target(path: string, id: string | undefined): string | undefined {
    return this.relationships(path).find((relationship) => relationship.id === id)?.target;
  }

  /** The main part: by its relationship, else by its type or its usual path, as Office repairs a file without either. */
  get main(): string | undefined {
    const [related] = this.targets('', 'officeDocument');
    if (related !== undefined) return related;
    const typed = [...this.contentTypes].find(([path, type]) => /\.main(?:\+xml)?$/.test(type) && this.bytes(path));
    return typed?.[0] ?? USUAL_MAIN.find((path) => this.bytes(path) !== undefined);
  }

  /** Media types of parts by path, those of an extension by `*.bin`. */
  get contentTypes(): ReadonlyMap<string, string> {
    this.types ??= this.readContentTypes();
    return this.types;
  }

  /** The media type of a part, of its own or of its extension, in lower case; '' for none. */
  typeOf(path: string): string {
    return this.contentTypes.get(path) ?? this.contentTypes.get(`*${posix.extname(path).toLowerCase()}`) ?? '';
  }

  private readContentTypes(): Map<string, string> {
    const types = new Map<string, string>();
    lenient(this.xml('[Content_Types].xml'), ({ name, attributes }) => {
      const { PartName = '', Extension = '', ContentType = '' } = attributes;
      if (name === 'Override') types.set(PartName.replace(/^\//, ''), ContentType.toLowerCase());
      if (name === 'Default') types.set(`*.${Extension.toLowerCase()}`, ContentType.toLowerCase());
    });
    return types;
  }

  private readRelationships(path: string): Relationship[] {
    const folder = posix.dirname(path);
    const file = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
    const found: Relationship[] = [];
    const addresses = new Map<string, string>();
    this.addresses.set(path, addresses);
    lenient(this.xml(path === '' ? '_rels/.rels' : file), ({ name, attributes }) => {
      const { Id = '', Type = '', Target = '', TargetMode } = attributes;
      if (name !== 'Relationship') return;
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      if (TargetMode !== 'External') found.push({ id: Id, type, target: pathOf(Target, folder) });
      else if (type === 'hyperlink') addresses.set(Id, Target);
    });
    return found;
  }
}

/** The content of a part of a flat package: as XML, or in Base64. */
function contentOf(part: string): Uint8Array {
  const start = /<pkg:(xmlData|binaryData)\b[^>]*>/.exec(part);
  if (start === null) return Buffer.alloc(0);
  const [tag, kind] = start;
  const end = part.lastIndexOf(`</pkg:${kind}>`);
  const content = part.slice(start.index + tag.length, end < 0 ? part.length : end);
  return Buffer.from(content, kind === 'xmlData' ? 'utf8' : 'base64');
}

function pathOf(target: string, folder: string): string {
  const path = target.replaceAll('\\', '/').split('#')[0]!;
  return path.startsWith('/') ? path.slice(1) : posix.join(folder, path);
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads the elements of a part up to its first error: a broken list keeps its beginning. */
function lenient(xml: string, open: NonNullable<Parameters<typeof readXml>[1]['open']>): void {
  try {
    readXml(xml, { open });
  } catch (error) {
    if (!(error instanceof ExtractionError) || error.problem !== 'broken') throw error;
  }
}
