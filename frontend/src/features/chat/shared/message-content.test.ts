import { filesOf, toOutgoing, withText } from './message-content';

test('an outgoing message has its files and a flag for code blocks', () => {
  const document = { url: '/api/files/2', name: '', type: '', size: 2_048 };
  expect(toOutgoing({ text: '```js\n1\n```', image: { url: '/api/files/1' }, document })).toEqual({
    text: '```js\n1\n```',
    imageData: '/api/files/1',
    fileUrl: '/api/files/2',
    fileName: 'Attachment',
    fileType: 'application/octet-stream',
    fileSize: 2_048,
    hasCode: true,
  });
});

test('an edited message keeps its files', () => {
  expect(withText({ text: 'old', imageData: '/api/files/1' }, 'new')).toEqual({
    text: 'new',
    imageData: '/api/files/1',
    hasCode: false,
  });
  const document = { fileUrl: '/api/files/2', fileName: 'a.pdf', fileType: 'application/pdf', fileSize: 2_048 };
  expect(withText({ text: 'old', ...document }, 'new')).toEqual({ text: 'new', ...document, hasCode: false });
});

test('a withdrawn message returns its files', () => {
  const files = filesOf({ text: '', imageData: '/api/files/1', fileUrl: '/api/files/2', fileName: 'a.pdf' });
  expect(files.map(({ kind, url, name }) => [kind, url, name])).toEqual([
    ['image', '/api/files/1', 'Image'],
    ['document', '/api/files/2', 'a.pdf'],
  ]);
});
