import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { CFB, ole, read } from '../../../../test/files/made-documents.js';

const made = (name: string) =>
  gunzipSync(readFileSync(new URL(`../../../../test/files/inputs/made/${name}`, import.meta.url)));

/** The streams of a document, of which one is another. */
function changed(bytes: Buffer, change: (stream: Buffer) => Buffer): Buffer {
  const container = CFB.read(bytes, { type: 'buffer' });
  const stream = (name: string) => Buffer.from(CFB.find(container, name)!.content as Uint8Array);
  return ole({ WordDocument: change(stream('WordDocument')), '1Table': stream('1Table') });
}

describe('a document of Word 97 to 2003', () => {
  it('has the numbers of its lists, and a line for each row of a table', async () => {
    expect(await read(made('lists.doc.gz'), 'ole')).toMatchObject({
      text:
        'Plan\n1. first\n2. second\na. inner\nb. other\n3. third\nbetween\n- dot\nVII. seven\nVIII. eight\n' +
        'one\ttwo\t\nthree\tfour\t\nafter',
    });
  });

  it('has no text that was deleted', async () => {
    expect(await read(made('deleted.doc.gz'), 'ole')).toMatchObject({ text: 'kept Имя words' });
  });

  it('that is cut off in its text keeps what is there, and says so', async () => {
    const document = made('lists.doc.gz');
    // The text begins behind the header.
    const bytes = changed(document, (stream) => stream.subarray(0, stream.readUInt32LE(0x18) + 30));
    expect(await read(bytes, 'ole')).toMatchObject({ text: 'Plan\nfirst\nseco', isDamaged: true });
  });

  it('with any byte of its header changed ends with a text or a problem', async () => {
    const document = made('lists.doc.gz');
    for (let at = 0x18; at < 0x2f2; at += 9) {
      const bytes = changed(document, (stream) => {
        stream.fill(0xff, at, at + 4);
        return stream;
      });
      const result = await read(bytes, 'ole');
      expect('problem' in result ? result.problem : 'text').toMatch(/text|broken|empty/);
    }
  });
});

it('a document of Word 2, which is no container, is read in its code page', async () => {
  const text = Buffer.from('First\r\nCaf\xe9\r\n', 'latin1');
  const bytes = Buffer.alloc(0x180 + text.length);
  bytes.writeUInt16LE(0xa5db, 0);
  bytes.writeUInt16LE(0x2d, 2);
  bytes.writeUInt16LE(0x409, 6);
  bytes.writeUInt32LE(0x180, 24);
  bytes.writeUInt32LE(0x180 + text.length, 28);
  bytes.writeUInt32LE(text.length, 52);
  text.copy(bytes, 0x180);
  expect(await read(bytes, 'word', 'doc')).toMatchObject({ kind: 'Word document', text: 'First\n\nCafé' });
});
