const HEADER_BYTES = 8;

/** Version of a record that holds records. */
const CONTAINER = 0x0f;

/** A record of a presentation ([MS-PPT] 2.3.1) or a drawing ([MS-ODRAW] 2.2.1) before 2007. */
export interface PptRecord {
  type: number;
  instance: number;
  isContainer: boolean;
  start: number;
  end: number;
}

/** Records that follow one another. A record beyond the end ends them. */
export function* records(stream: Buffer, start: number, end: number): Generator<PptRecord> {
  for (let at = start; at + HEADER_BYTES <= end;) {
    const record = recordAt(stream, at);
    if (record === undefined) return;
    yield record;
    at = record.end;
  }
}

export function recordAt(stream: Buffer, at: number): PptRecord | undefined {
  if (at + HEADER_BYTES > stream.length) return undefined;
  const head = stream.readUInt16LE(at);
  const start = at + HEADER_BYTES;
  const end = Math.min(start + stream.readUInt32LE(at + 4), stream.length);
  return {
    type: stream.readUInt16LE(at + 2),
    instance: head >> 4,
    isContainer: (head & CONTAINER) === CONTAINER,
    start,
    end,
  };
}

/** The records inside of another one. */
export const innerRecords = (stream: Buffer, { start, end }: PptRecord): PptRecord[] => [
  ...records(stream, start, end),
];

/** The records at the end of a path of types below others. */
export const recordsBelow = (stream: Buffer, parents: readonly PptRecord[], ...types: number[]): PptRecord[] =>
  types.reduce(
    (found, type) => found.flatMap((parent) => innerRecords(stream, parent)).filter((record) => record.type === type),
    [...parents],
  );
