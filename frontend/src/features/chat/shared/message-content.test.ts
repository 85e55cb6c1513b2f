import type { UploadedFile } from '../../../app/state/composer-store';
import { filesOf, isEmpty, toContent, toOutgoing } from './message-content';

const picture: UploadedFile = { kind: 'image', url: '/api/files/1', name: 'a.png', type: 'image/png', size: 9 };
const plan: UploadedFile = {
  kind: 'document',
  url: '/api/files/2',
  name: 'b.pdf',
  type: 'application/pdf',
  size: null,
};

test('an outgoing message has the ids of its files in order, and a flag for code blocks', () => {
  expect(toOutgoing({ text: '```js\n1\n```', files: [plan, picture] })).toEqual({
    text: '```js\n1\n```',
    attachments: [{ fileId: '2' }, { fileId: '1' }],
    hasCode: true,
  });
  expect(toOutgoing({ text: 'x', files: [] })).toEqual({ text: 'x', hasCode: false });
});

test('a message is shown with its files before its ack', () => {
  const content = toContent({ text: 'see', files: [picture, plan] });
  expect(content.attachments?.map(({ name, size }) => [name, size])).toEqual([
    ['a.png', 9],
    ['b.pdf', 0],
  ]);
  expect(filesOf(content).map(({ kind, url }) => [kind, url])).toEqual([
    ['image', '/api/files/1'],
    ['document', '/api/files/2'],
  ]);
});

test('a message of an earlier version returns its files', () => {
  const files = filesOf({ text: '', imageData: '/api/files/1', fileUrl: '/api/files/2', fileName: 'a.pdf' });
  expect(files.map(({ kind, url, name, type }) => [kind, url, name, type])).toEqual([
    ['document', '/api/files/2', 'a.pdf', 'application/octet-stream'],
    ['image', '/api/files/1', 'Image', 'image/*'],
  ]);
});

test('a message without text and files is empty', () => {
  expect(isEmpty({ text: ' \n', files: [] })).toBe(true);
  expect(isEmpty({ text: '', files: [plan] })).toBe(false);
});
