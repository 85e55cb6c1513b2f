import { filesOfContent, LIMITS, messageObject, parseContent } from '@tanya/contract';
import { automaticTitle, searchText, toStoredContent } from './message-content.js';

describe('stored content', () => {
  it('is the plain text when the message has no other parts', () => {
    expect(toStoredContent({ text: 'hello' })).toBe('hello');
    expect(toStoredContent({ text: '' })).toBe('');
    expect(toStoredContent({ text: 'hello', hasCode: false })).toBe('hello');
  });

  it('is JSON with the parts of the message and a flag for code', () => {
    const content = { text: 'see ```js', imageData: '/api/files/1', fileUrl: '/api/files/2', fileSize: 9 };
    expect(JSON.parse(toStoredContent(content))).toEqual({
      ...content,
      fileName: 'Attachment',
      fileType: 'application/octet-stream',
      hasCode: true,
    });
  });

  it('has the attachments of the message beside the older fields', () => {
    const attachments = [{ fileId: '1', url: '/api/files/1', name: 'a.png', type: 'image/png', size: 9 }];
    const content = { text: 'see', imageData: '/api/files/1', attachments };
    expect(JSON.parse(toStoredContent(content))).toEqual(content);
    expect(toStoredContent({ text: 'see', attachments: [] })).toBe('see');
  });

  it('omits fields that are not parts of a message', () => {
    const stored = toStoredContent({ text: 'x', audioData: '/api/files/1', role: 'system' } as never);
    expect(JSON.parse(stored)).toEqual({ text: 'x', audioData: '/api/files/1' });
  });

  it.each([
    'plain',
    '{"text":"posing"}',
    '{"text":',
    '{"text":"x","imageUrl":"/api/files/1"}',
    '{}',
    '[1]',
    '"x"',
    '{',
  ])('returns the text %s unchanged when it is parsed', (text) => {
    expect(parseContent(toStoredContent({ text }))).toEqual({ text });
  });

  it.each([
    '{"type":"image_generation","imageUrl":"/api/files/1","text":"x"}',
    '{"type":"image_generation","imageUrl":"https://example.org/x"}',
    ' \n{ "imageUrl": "/a" }',
    '{"type":"image_generation"}',
    '{"fileUrl":"/api/files/1"}',
    '{"text":7}',
    '{"attachments":[{"fileId":"1"}]}',
  ])('wraps the text %s, which would be parsed as a message with parts', (text) => {
    expect(JSON.parse(toStoredContent({ text }))).toEqual({ text });
    expect(parseContent(toStoredContent({ text }))).toEqual({ text });
  });

  it('is parsed as text when it is JSON that does not begin with the field of the text', () => {
    const text = '{"type":"image_generation","imageUrl":"/api/files/1","text":"x"}';
    expect(parseContent(text)).toEqual({ text });
  });

  it('keeps the parts of a generated image', () => {
    const picture = { text: 'a cat', type: 'image_generation' as const, imageUrl: '/api/files/1' };
    expect(parseContent(toStoredContent(picture))).toEqual(picture);
  });
});

describe('a text that a client sent', () => {
  it.each([
    '{"text":"x"}',
    ' {"imageData":"data:image/png;base64,AAAA", "text":"x"} ',
    '{"fileUrl":"/api/files/1"}',
    '{"audioData":"/api/files/1"}',
    '{"attachments":[]}',
    '{"text":5}',
    '{"type":"image_generation"}',
    '{"imageUrl":["/a"]}',
  ])('is parsed as a message when it is %s', (text) => {
    expect(messageObject(text)).toEqual(JSON.parse(text));
  });

  it.each(['plain', '', '"x"', '{"a":1}', '{}', '{"type":"function"}', '[{"text":"x"}]', 'null', '7', '{"text":'])(
    'stays a plain text when it is %s',
    (text) => {
      expect(messageObject(text)).toBeNull();
    },
  );
});

describe('the searchable text of a message', () => {
  it('is its text and the name of its file', () => {
    expect(searchText('hello')).toBe('hello');
    expect(searchText(toStoredContent({ text: 'see', fileUrl: '/api/files/1', fileName: 'plan.pdf' }))).toBe(
      'see\nplan.pdf',
    );
  });

  it('has the names of all attachments', () => {
    const named = (name: string) => ({ fileId: '1', url: '/api/files/1', name, type: 'image/png', size: 9 });
    const content = { text: 'see', fileUrl: '/api/files/1', attachments: [named('a.png'), named('b.pdf')] };
    expect(searchText(toStoredContent(content))).toBe('see\na.png\nb.pdf');
  });
});

describe('the files of a message', () => {
  it('are the attachments in their order, with their kind', () => {
    const attachments = [
      { fileId: '1', url: '/api/files/1', name: 'a.mp3', type: 'audio/mpeg', size: 1 },
      { fileId: '2', url: '/api/files/2', name: 'b.pdf', type: 'application/pdf', size: 2 },
      { fileId: '3', url: '/api/files/3', name: 'c.png', type: 'image/png', size: 3 },
    ];
    const files = filesOfContent({ text: '', imageData: '/api/files/3', fileUrl: '/api/files/2', attachments });
    expect(files.map(({ kind, name }) => [kind, name])).toEqual([
      ['audio', 'a.mp3'],
      ['document', 'b.pdf'],
      ['image', 'c.png'],
    ]);
  });

  it('are those of the older fields in messages without attachments', () => {
    expect(filesOfContent({ text: 'x' })).toEqual([]);
    const older = { text: '', imageData: '/i', audioData: '/a', fileUrl: '/f', fileName: 'f.txt', fileSize: 2 };
    expect(filesOfContent(older)).toEqual([
      { kind: 'document', url: '/f', name: 'f.txt', type: undefined, size: 2 },
      { kind: 'image', url: '/i' },
      { kind: 'audio', url: '/a' },
    ]);
  });
});

describe('the first title of a thread', () => {
  it('is the beginning of the first message on one line', () => {
    expect(automaticTitle({ text: '  Hello \n\t there  ' })).toBe('Hello there');
  });

  it('is cut between characters (TX-2)', () => {
    const title = automaticTitle({ text: '😀'.repeat(200) });
    expect(title).toBe('😀'.repeat(LIMITS.automaticTitle));
    expect(automaticTitle({ text: `${'x'.repeat(LIMITS.automaticTitle)}y` })).toBe('x'.repeat(LIMITS.automaticTitle));
    const exact = 'x'.repeat(LIMITS.automaticTitle);
    expect(automaticTitle({ text: exact })).toBe(exact);
  });

  it.each([
    'Please explain how the retention of deleted conversations interacts with backups',
    `${'删除的对话'.repeat(11)}请告诉我如何备份`,
    `A ${'x'.repeat(80)}`,
  ])('is the first 60 characters: %s', (text) => {
    expect(automaticTitle({ text })).toBe(text.slice(0, 60));
  });

  it('ends before a grapheme that does not fit', () => {
    const before = 'x'.repeat(LIMITS.automaticTitle - 2);
    expect(automaticTitle({ text: `${before}👩‍👩‍👧 and more` })).toBe(before);
    expect(automaticTitle({ text: `${before}ye\u0301 and more` })).toBe(`${before}y`);
    expect(automaticTitle({ text: `${before}y and more` })).toBe(`${before}y`);
    expect(automaticTitle({ text: `a${'\u0301'.repeat(200)}` })).toHaveLength(LIMITS.automaticTitle);
  });

  it('falls back to the name of the first file that is no image', () => {
    expect(automaticTitle({ text: ' ', fileUrl: '/api/files/1', fileName: 'plan.pdf' })).toBe('plan.pdf');
    const file = { fileId: '1', url: '/api/files/1', size: 1 };
    const image = { ...file, name: 'harbour.png', type: 'image/png' };
    const recording = { ...file, name: 'Recording.webm', type: 'audio/webm' };
    expect(automaticTitle({ text: '', attachments: [image, recording] })).toBe('Recording.webm');
    expect(automaticTitle({ text: '', attachments: [image] })).toBe('Image');
    expect(automaticTitle({ text: '', audioData: '/api/files/1' })).toBe('Attachment');
  });
});
