/** `signedData` of CMS (RFC 5652): 1.2.840.113549.1.7.2. */
const SIGNED_DATA = '2a864886f70d010702';

const TAG = { octets: 0x04, oid: 0x06, sequence: 0x30, content: 0xa0 } as const;

/** Of a tag: its content are elements. */
const CONSTRUCTED = 0x20;

const INDEFINITE = 0x80;

/** Elements inside one another. A signed content stands in the seventh. */
const MAX_DEPTH = 12;

/** An element of ASN.1 in BER. */
interface Element {
  tag: number;
  content: Buffer;
  /** Where the next one begins. */
  end: number;
}

/** The content that a CMS message has signed; null for other messages, encrypted ones, and signatures that stand apart. */
export function signedContent(given: Buffer): Buffer | null {
  const bytes =
    given[0] === TAG.sequence ? given : Buffer.from(given.toString('latin1').replace(/-----[^-]+-----/g, ''), 'base64');
  const root = elementAt(bytes, 0);
  if (root?.tag !== TAG.sequence) return null;
  const [type, wrapped] = childrenOf(root);
  if (type?.tag !== TAG.oid || type.content.toString('hex') !== SIGNED_DATA) return null;
  const signed = childrenOf(wrapped)[0];
  const inner = childrenOf(signed).find(({ tag }) => tag === TAG.sequence);
  const [, content] = childrenOf(inner);
  const octets = content?.tag === TAG.content ? childrenOf(content)[0] : undefined;
  return octets === undefined ? null : octetsOf(octets);
}

/** A string of octets may be in pieces. */
function octetsOf(element: Element, depth = 0): Buffer {
  if (element.tag === TAG.octets || depth > MAX_DEPTH) return element.content;
  return Buffer.concat(childrenOf(element).map((piece) => octetsOf(piece, depth + 1)));
}

function childrenOf(element: Element | undefined): Element[] {
  const children: Element[] = [];
  if (element === undefined || (element.tag & CONSTRUCTED) === 0) return children;
  for (let at = 0; at < element.content.length;) {
    const child = elementAt(element.content, at);
    if (child === null || child.tag === 0) break;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** @returns null where no element stands, or one that is nested too deep */
function elementAt(bytes: Buffer, start: number, depth = 0): Element | null {
  if (start + 2 > bytes.length || depth > MAX_DEPTH) return null;
  const tag = bytes[start]!;
  const first = bytes[start + 1]!;
  let at = start + 2;
  if (first !== INDEFINITE) {
    let length = first;
    if (first > INDEFINITE) {
      const size = first - INDEFINITE;
      if (size > 4 || at + size > bytes.length) return null;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    const end = Math.min(at + length, bytes.length);
    return { tag, content: bytes.subarray(at, end), end };
  }
  const begin = at;
  for (;;) {
    const child = elementAt(bytes, at, depth + 1);
    if (child === null) return { tag, content: bytes.subarray(begin, at), end: bytes.length };
    if (child.tag === 0) return { tag, content: bytes.subarray(begin, at), end: child.end };
    at = child.end;
  }
}
