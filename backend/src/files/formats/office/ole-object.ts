import type { OleFile } from './ole.js';

/** A file in the container of an OLE object. */
interface PackedFile {
  bytes: Buffer;
  /** '' where the container does not say it. */
  name: string;
}

/** The file in the container of an OLE object; null for a container that is the document itself. */
export function packedFile(ole: OleFile): PackedFile | null {
  const office = ole.stream('Package');
  if (office !== null) return { bytes: office, name: '' };
  const native = ole.stream('\x01Ole10Native');
  if (native !== null) return nativeFile(native);
  const contents = ole.stream('CONTENTS');
  return contents?.subarray(0, 5).toString('latin1') === '%PDF-' ? { bytes: contents, name: '' } : null;
}

/** Of an object before OLE 2: its version and kind, before its texts. */
const HEAD_BYTES = 8;

/** Class, topic and item. */
const TEXTS = 3;

/** The file of an object as RTF has it ([MS-OLEDS] 2.2.5): texts, then the file; null for a damaged one. */
export function objectFile(object: Buffer): PackedFile | null {
  const texts: string[] = [];
  let at = HEAD_BYTES;
  for (let count = 0; count < TEXTS && at + 4 <= object.length; count++) {
    const end = at + 4 + object.readUInt32LE(at);
    texts.push(object.toString('latin1', at + 4, end - 1));
    at = end;
  }
  if (at + 4 > object.length) return null;
  if (texts[0] === 'Package') return nativeFile(object.subarray(at));
  return { bytes: object.subarray(at + 4, at + 4 + object.readUInt32LE(at)), name: '' };
}

/** A file that the Windows packager has packed ([MS-OLEDS] 2.3.6): its label, its path, its temporary path, its bytes. */
function nativeFile(stream: Buffer): PackedFile | null {
  let at = 6;
  const text = (): string => {
    const end = stream.indexOf(0, at);
    const found = stream.toString('latin1', at, end < 0 ? stream.length : end);
    at = end < 0 ? stream.length : end + 1;
    return found;
  };
  const [label, path] = [text(), text()];
  at += 4;
  if (at + 4 > stream.length) return null;
  at += 4 + stream.readUInt32LE(at);
  if (at + 4 > stream.length) return null;
  const start = at + 4;
  const name = path.split(/[\\/]/).at(-1) || label;
  return { bytes: stream.subarray(start, start + stream.readUInt32LE(at)), name };
}
