import { jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Attachment } from './attachment';
import AttachmentChips from './attachment-chips';
import { FakeTheme } from '../../../components/layout/fake-theme';

const attachment = (name: string, change: Partial<Attachment>): Attachment => ({
  id: name,
  kind: 'document',
  name,
  type: 'text/plain',
  size: 2_048,
  previewUrl: null,
  progress: 1,
  url: `/api/files/${name}`,
  error: null,
  warning: null,
  ...change,
});

test('each chip shows its own progress or error, and can be removed or uploaded again', async () => {
  const [retry, remove] = [jest.fn(), jest.fn()];
  const list = [
    attachment('stored.txt', {}),
    attachment('running.txt', { url: null, progress: 0.25 }),
    attachment('broken.txt', { url: null, error: 'The server can’t be reached.' }),
  ];
  const rest = { isUploading: true, hasFailed: true, add: jest.fn(), addText: jest.fn(), clear: jest.fn() };
  render(
    <FakeTheme>
      <AttachmentChips attachments={{ list, retry, remove, ...rest }} onInsert={jest.fn()} />
    </FakeTheme>,
  );
  const [bar, ...others] = screen.getAllByRole('progressbar');
  expect([bar?.getAttribute('aria-valuenow'), others.length]).toEqual(['25', 0]);
  expect(screen.getByRole('alert').textContent).toBe('The server can’t be reached.');
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole('button', { name: 'Upload broken.txt again' }));
  await user.click(screen.getByRole('button', { name: 'Remove stored.txt' }));
  expect([retry.mock.calls, remove.mock.calls]).toEqual([[['broken.txt']], [['stored.txt']]]);
});

test('a chip says how many pages a PDF has, and how many of them go as pictures', () => {
  const list = [
    attachment('a.pdf', { pages: 12, pictures: 3 }),
    attachment('b.pdf', { pages: 1 }),
    attachment('c.pdf', { pages: 1, pictures: 1 }),
  ];
  const rest = { isUploading: false, hasFailed: false, add: jest.fn(), addText: jest.fn(), clear: jest.fn() };
  render(
    <FakeTheme>
      <AttachmentChips attachments={{ list, retry: jest.fn(), remove: jest.fn(), ...rest }} onInsert={jest.fn()} />
    </FakeTheme>,
  );
  for (const text of ['12 pages, 3 as pictures', '1 page', '1 page, 1 as a picture'])
    expect(screen.getByText(text)).toBeTruthy();
});
