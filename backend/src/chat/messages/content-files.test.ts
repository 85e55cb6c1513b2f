import type { MessagePart } from '@tanya/contract';
import { fileIdsIn, replaceFiles, replacePartFiles } from './content-files.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];
const url = (id: string) => `/api/files/${id}`;
const shared = (id: string) => `/api/share/token/files/${id}`;

const content = JSON.stringify({
  text: url(C),
  imageData: url(A),
  fileUrl: shared(B),
  fileName: url(C),
  attachments: [{ fileId: A, url: url(A), name: C, type: 'image/png', size: 3 }],
});

describe('the files of a stored message', () => {
  it('are found in every field except texts and names', () => {
    expect(fileIdsIn({ content })).toEqual([A, B]);
    expect(fileIdsIn({ content: `see ${url(A)}` })).toEqual([]);
    expect(fileIdsIn({ content: url(A) })).toEqual([]);
    expect(fileIdsIn({ content: '{"text":' })).toEqual([]);
    expect(fileIdsIn({ content: '{"text":"x","imageUrl":"https://host/api/files/x"}' })).toEqual([]);
  });

  it('are replaced by URL and by id, and texts stay', () => {
    const replaced = JSON.parse(replaceFiles(content, new Map([[A, C]]), shared)) as Record<string, unknown>;
    expect(replaced).toEqual({
      text: url(C),
      imageData: shared(C),
      fileUrl: shared(B),
      fileName: url(C),
      attachments: [{ fileId: C, url: shared(C), name: C, type: 'image/png', size: 3 }],
    });
  });

  it('are replaced without a change of plain text', () => {
    for (const text of ['', 'plain', '{"a":1}', '{"text":', url(A)]) {
      expect(replaceFiles(text, new Map([[A, B]]), url)).toBe(text);
    }
  });

  it('are those of its images too, and other parts stay', () => {
    const parts: MessagePart[] = [
      { type: 'text', text: url(B) },
      { type: 'source', index: 1, url: url(B), title: 'x' },
      { type: 'image', url: url(A), alt: url(B) },
      { type: 'image', url: 'https://host/x.png', alt: '' },
    ];
    expect(fileIdsIn({ content: '', parts })).toEqual([A]);
    const replaced = replacePartFiles(parts, new Map([[A, C]]), shared);
    expect(replaced).toEqual([parts[0], parts[1], { type: 'image', url: shared(C), alt: url(B) }, parts[3]]);
  });
});
