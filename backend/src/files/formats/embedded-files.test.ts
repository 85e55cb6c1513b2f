import { gzipSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { readEmbedded } from './embedded-files.js';
import { readDocument } from './read-document.js';
import { SectionCollector } from './sections.js';
import { CFB, ole, p, packed, presentation, read, rels, word } from '../../../test/files/made-documents.js';

describe('a document inside of another one', () => {
  const book = (text: string) =>
    Buffer.from(
      write(utils.book_new(utils.aoa_to_sheet([[text]]), 'Plan'), { bookType: 'xlsx', type: 'buffer' }) as Buffer,
    );

  const object = (id: string) =>
    `<w:p><w:r><w:object><o:OLEObject ProgID="Excel" r:id="${id}"/></w:object></w:r></w:p>`;

  it('is read after the outer one, with its place', async () => {
    const inner = word(p('in the inner one'));
    const bytes = Buffer.from(
      zipSync({
        ...unzipSync(
          word(p('Costs', '<w:outlineLvl w:val="0"/>') + object('r1') + p('rent') + object('r2') + object('r3'), {}, [
            ['package', 'embeddings/a.xlsx'],
            ['oleObject', 'embeddings/b.bin'],
            ['oleObject', 'embeddings/c.bin'],
          ]),
        ),
        'doc/embeddings/a.xlsx': new Uint8Array(book('300')),
        'doc/embeddings/b.bin': new Uint8Array(ole({ Package: inner })),
        'doc/embeddings/c.bin': new Uint8Array(packed('remark.txt', 'as text')),
      }),
    );
    expect(await read(bytes, 'zip')).toMatchObject({
      text:
        '[Costs]\nrent\n\n[embedded Excel workbook, Costs: sheet "Plan"]\n300\n\n' +
        '[embedded Word document, Costs]\nin the inner one\n\n[embedded text file "remark.txt", Costs]\nas text',
    });
  });

  it('that is damaged, missing or of an unknown kind takes no other text away', async () => {
    const bytes = Buffer.from(
      zipSync({
        ...unzipSync(
          word(object('r1') + object('r2') + object('r3') + object('r4') + p('text'), {}, [
            ['package', 'embeddings/a.xlsx'],
            ['oleObject', 'embeddings/b.bin'],
            ['oleObject', 'embeddings/none.bin'],
            ['oleObject', 'embeddings/c.bin'],
          ]),
        ),
        'doc/embeddings/a.xlsx': strToU8('PK\x03\x04 no archive'),
        'doc/embeddings/b.bin': new Uint8Array(packed('setup.exe', 'MZ')),
        'doc/embeddings/c.bin': new Uint8Array(ole({ Equation: Buffer.from('x') })),
      }),
    );
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'text\n\n[embedded file "setup.exe"]\n' });
  });

  it('that contains itself ends', async () => {
    let bytes = word(p('innermost'));
    for (let depth = 0; depth < 10; depth++) {
      const outer = word(p(`level ${depth}`) + object('r1'), {}, [['package', 'embeddings/a.docx']]);
      bytes = Buffer.from(zipSync({ ...unzipSync(outer), 'doc/embeddings/a.docx': new Uint8Array(bytes) }));
    }
    const { text } = (await read(bytes, 'zip')) as { text: string };
    expect(text.match(/level \d/g)).toEqual(['level 9', 'level 8', 'level 7', 'level 6']);
  });

  it('that is left out is counted', async () => {
    const ids = Array.from({ length: 53 }, (_, index) => `r${index + 1}`);
    const outer = word(
      ids.map(object).join('') + p('text'),
      {},
      ids.map(() => ['package', 'embeddings/a.docx']),
    );
    const many = Buffer.from(
      zipSync({ ...unzipSync(outer), 'doc/embeddings/a.docx': new Uint8Array(word(p('inner'))) }),
    );
    expect(await read(many, 'zip')).toMatchObject({ embeddedLeft: 3 });

    // It claims to have more than the bound of an archive.
    const bomb = word(p('x'));
    bomb.writeUInt32LE(0xf0000000, bomb.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
    const one = word(object('r1') + p('text'), {}, [['package', 'embeddings/a.docx']]);
    const bytes = Buffer.from(zipSync({ ...unzipSync(one), 'doc/embeddings/a.docx': new Uint8Array(bomb) }));
    expect(await read(bytes, 'zip')).toMatchObject({ text: 'text', embeddedLeft: 1 });
  });

  it('that is read only in part is counted', async () => {
    const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line} ${Math.sin(line)}\n`).join('');
    const outer = word(object('r1') + p('text'), {}, [['package', 'embeddings/a.gz']]);
    const damaged = { 'doc/embeddings/a.gz': new Uint8Array(gzipSync(lines).subarray(0, 20_000)) };
    const result = await read(Buffer.from(zipSync({ ...unzipSync(outer), ...damaged })), 'zip');
    expect(result).toMatchObject({ text: expect.stringContaining('\nline 9 ') as string, embeddedLeft: 1 });

    const out = new SectionCollector();
    out.embed(() => Buffer.from('%PDF-'));
    const readInner = async (_bytes: Buffer, _format: string, inner: SectionCollector) => {
      inner.add('the beginning');
      inner.cutShort();
      return 'PDF';
    };
    await readEmbedded(out, readInner, process.memoryUsage.rss(), async () => {});
    expect([out.hasText, out.facts.embeddedLeft]).toEqual([true, 1]);
  });

  it('takes no text before it away when it exhausts the process', async () => {
    const kept: unknown[] = [];
    const outer = word(p('outer') + object('r1') + object('r2'), {}, [
      ['package', 'embeddings/a.docx'],
      ['package', 'embeddings/b.docx'],
    ]);
    const inner = { 'doc/embeddings/a.docx': word(p('first')), 'doc/embeddings/b.docx': word(p('second')) };
    await readDocument(Buffer.from(zipSync({ ...unzipSync(outer), ...inner })), 'zip', 'docx', async (soFar) => {
      kept.push('problem' in soFar ? soFar : [soFar.sections.map(({ text }) => text), soFar.embeddedLeft]);
    });
    expect(kept).toEqual([
      [['outer'], 2],
      [['outer', 'first'], 1],
    ]);
  });

  it('stands on its slide and its sheet', async () => {
    const show = presentation('<p:sld><p:oleObj r:id="r1"/></p:sld>', [['package', 'embeddings/a.xlsx']]);
    const withBook = (bytes: Uint8Array, path: string, more: Record<string, Uint8Array> = {}) =>
      Buffer.from(zipSync({ ...unzipSync(bytes), [path]: new Uint8Array(book('300')), ...more }));
    expect(await read(withBook(show, 'show/embeddings/a.xlsx'), 'zip')).toMatchObject({
      text: '[embedded Excel workbook, slide 1: sheet "Plan"]\n300',
    });
    const sheet = { 'xl/worksheets/_rels/sheet1.xml.rels': strToU8(rels(['package', '../embeddings/a.xlsx'])) };
    expect(await read(withBook(book('outer'), 'xl/embeddings/a.xlsx', sheet), 'zip')).toMatchObject({
      text: '[sheet "Plan"]\nouter\n\n[embedded Excel workbook, sheet "Plan": sheet "Plan"]\n300',
    });
  });

  it('in files of earlier versions is read too', async () => {
    const xls = (text: string) =>
      CFB.read(
        Buffer.from(
          write(utils.book_new(utils.aoa_to_sheet([[text]]), 'Plan'), { bookType: 'xls', type: 'buffer' }) as Buffer,
        ),
        { type: 'buffer' },
      );
    const outer = xls('outer');
    CFB.utils.cfb_add(outer, '/MBD0001/Workbook', CFB.find(xls('inner'), '/Workbook')!.content as Buffer);
    const bytes = Buffer.from(CFB.write(outer, { type: 'buffer' }) as Buffer);
    expect(await read(bytes, 'ole')).toMatchObject({
      text: '[sheet "Plan"]\nouter\n\n[embedded Excel workbook, sheet "Plan": sheet "Plan"]\ninner',
    });
  });
});
