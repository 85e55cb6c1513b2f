import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ProjectFile } from '@tanya/contract';
import { FakePage } from '../../components/layout/fake-page';
import { FileList } from './file-list';

const fileOf = (at: number, fields: Partial<ProjectFile> = {}): ProjectFile => ({
  id: `0b6e3e50-0000-4000-8000-${String(at).padStart(12, '0')}`,
  name: `note ${at}.txt`,
  type: 'text/plain',
  size: 1_000,
  state: 'ready',
  sections: 1,
  chunks: 1,
  characters: 900,
  isSemantic: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});

const rows = () => screen.getAllByRole('listitem');

test('a long list counts its files, begins with those that cannot be read, and finds the others by name', async () => {
  const files = Array.from({ length: 2_000 }, (_, at) => fileOf(at, at > 1_500 ? { state: 'reading' } : {}));
  files[1_200] = fileOf(1_200, { state: 'failed', notice: 'The text could not be read.' });
  // As macOS stores it: the mark is a character of its own.
  files[1_300] = fileOf(1_300, { name: 'Cafe\u0301.txt' });
  const user = userEvent.setup();
  render(
    <FakePage>
      <FileList projectId={1} files={files} hasEmbedding={false} onRemove={undefined} />
    </FakePage>,
  );
  await screen.findByText('2,000 files: 1,500 ready, 499 being read, 1 not readable');
  expect(rows()).toHaveLength(50);
  expect(rows()[0]!.textContent).toContain('note 1200.txt');
  await user.click(screen.getByRole('button', { name: 'Show 50 more files' }));
  expect(rows()).toHaveLength(100);
  const field = screen.getByRole('searchbox', { name: 'Find a file by its name' });
  await user.type(field, 'NOTE 1999');
  expect(rows().map((row) => row.textContent)).toEqual([expect.stringContaining('note 1999.txt')]);
  await user.clear(field);
  await user.type(field, 'caf\u00e9');
  expect(rows()).toHaveLength(1);
  await user.type(field, 'x');
  expect(screen.getByRole('status').textContent).toBe('No file has such a name.');
});

test('a short list has no field', async () => {
  render(
    <FakePage>
      <FileList projectId={1} files={[fileOf(1)]} hasEmbedding={false} onRemove={undefined} />
    </FakePage>,
  );
  await screen.findByText('note 1.txt');
  expect(screen.queryByRole('searchbox')).toBeNull();
});
