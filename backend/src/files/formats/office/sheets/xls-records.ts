const IS_WIDE = 1;

/** A record of a workbook before 2007. */
export interface XlsRecord {
  type: number;
  body: Buffer;
  end: number;
}

export function* records(stream: Buffer, start: number): Generator<XlsRecord> {
  for (let at = start; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    yield { type: stream.readUInt16LE(at), body: stream.subarray(at + 4, end), end };
    at = end;
  }
}

/** Letters after a byte that says how wide they are. */
export function lettersOf(bytes: Buffer, count: number): string {
  const isWide = ((bytes[0] ?? 0) & IS_WIDE) !== 0;
  return isWide ? bytes.toString('utf16le', 1, 1 + 2 * count) : bytes.toString('latin1', 1, 1 + count);
}
