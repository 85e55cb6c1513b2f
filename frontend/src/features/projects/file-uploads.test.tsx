import { jest } from '@jest/globals';
import { TEXTS } from '@tanya/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { FakePage } from '../../components/layout/fake-page';
import { addDropped } from './file-uploads';
import { ProjectFiles } from './project-files';

interface Answer {
  status: number;
  body?: Record<string, unknown>;
}

const ADDED: Answer = { status: 201 };
const FULL: Answer = {
  status: 507,
  body: {
    code: 'storage_full',
    message: 'Full.',
    retryable: true,
    details: { params: { reason: 'project_files', max: 1 } },
  },
};
const SAME: Answer = {
  status: 409,
  body: { code: 'conflict', message: 'Already here.', details: { params: { reason: 'file_exists', id: 'x' } } },
};
const REFUSED: Answer = { status: 415, body: { code: 'unsupported_type', message: 'Not allowed.' } };
const BUSY: Answer = {
  status: 503,
  body: { code: 'server_busy', message: 'Busy.', retryable: true, retryAfter: 0.05 },
};
const LOST: Answer = { status: 0 };

const PATIENCE = { timeout: 30_000 };

/** The uploads that wait for their answer, in their order. */
let open: XMLHttpRequest[] = [];
let sent = 0;

function answer({ status, body = {} }: Answer): void {
  const request = open.shift()!;
  if (status === 0) {
    request.onerror!(new ProgressEvent('error'));
    return;
  }
  for (const [key, value] of Object.entries({ status, responseText: JSON.stringify(body) }))
    Object.defineProperty(request, key, { value });
  request.onload!(new ProgressEvent('load'));
}

const field = () => screen.getByLabelText<HTMLInputElement>('Add files', { selector: 'input' });

const fileOf = (at: number) => new File([`text ${at}`], `note ${at}.txt`, { type: 'text/plain' });

const folderField = () => screen.getByLabelText<HTMLInputElement>('Add a folder', { selector: 'input' });

/** Chooses a folder, of which the browser lists all files. */
const chooseFolder = (...paths: string[]) =>
  user.upload(
    folderField(),
    paths.map((path) =>
      Object.defineProperty(new File(['text'], path.split('/').pop()!), 'webkitRelativePath', { value: path }),
    ),
  );

/** Shows the files of a project of its own, and chooses some. @returns the addresses that are read */
async function choose(count: number): Promise<string[]> {
  const id = (project += 1);
  const requested = serve({ [`/api/projects/${id}/files`]: [] });
  render(
    <FakePage>
      <ProjectFiles id={id} mayEdit embedding={null} />
    </FakePage>,
  );
  await screen.findByText(/^No files yet\./);
  requested.length = 0;
  if (count === 0) return requested;
  await user.upload(
    field(),
    Array.from({ length: count }, (_, at) => fileOf(at)),
  );
  return requested;
}

let project = 0;
let user: ReturnType<typeof userEvent.setup>;

let canRead = true;

// The page of the tests has no folders.
beforeAll(() =>
  Object.defineProperty(HTMLInputElement.prototype, 'webkitdirectory', { value: false, configurable: true }),
);
afterAll(() => Reflect.deleteProperty(HTMLInputElement.prototype, 'webkitdirectory'));

beforeEach(() => {
  canRead = true;
  // The page of the tests has no such function.
  Blob.prototype.arrayBuffer = () =>
    canRead ? Promise.resolve(new ArrayBuffer(1)) : Promise.reject(new DOMException('Moved', 'NotReadableError'));
  user = userEvent.setup();
  open = [];
  sent = 0;
  queryClient.clear();
  jest.spyOn(XMLHttpRequest.prototype, 'abort').mockImplementation(function (this: XMLHttpRequest) {
    this.onabort!(new ProgressEvent('abort'));
  });
  jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    sent += 1;
    open.push(this);
  });
});

afterEach(() => jest.restoreAllMocks());

/** Answers what is open, until nothing is added any more. */
async function answerAll(given: Answer = ADDED): Promise<void> {
  await waitFor(() => {
    while (open.length > 0) answer(given);
    expect(screen.queryByRole('progressbar')).toBeNull();
  }, PATIENCE);
}

const sends = (count: number): Promise<void> => waitFor(() => expect(sent).toBe(count), PATIENCE);

test('many files are added a few at once, with their progress, and are read again at the end alone', async () => {
  const requested = await choose(40);
  expect(open).toHaveLength(3);
  answer(ADDED);
  expect(
    (await screen.findByRole('progressbar', { name: 'Adding files: 1 of 40' })).getAttribute('aria-valuenow'),
  ).toBe('1');
  expect(requested).toEqual([]);
  await answerAll();
  expect(sent).toBe(40);
  await waitFor(() => expect(requested).toHaveLength(1), PATIENCE);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refused file keeps none of the others, and is named', async () => {
  await choose(5);
  answer(REFUSED);
  await answerAll();
  expect(sent).toBe(5);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('1 file was not added');
  expect(alert.textContent).toContain('note 0.txt: Not allowed.');
  await user.click(screen.getByRole('button', { name: 'Close this list' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('files that the project has already are named together', async () => {
  await choose(6);
  for (let count = 0; count < 3; count += 1) answer(SAME);
  await sends(6);
  answer(SAME);
  await answerAll();
  await screen.findByText('4 files are in the project already: note 0.txt, note 1.txt, note 2.txt, …');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status').textContent).toMatch(/^2 files were added\. Not everything was added\./);
});

test('what refuses all files ends the uploads, and the first names are shown', async () => {
  await choose(40);
  answer(FULL);
  await answerAll(FULL);
  expect(sent).toBe(3);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('40 files were not added');
  expect(alert.textContent).toContain('and 20 more');
});

test('a file is sent again after the pause that a busy server names', async () => {
  await choose(1);
  answer(BUSY);
  await sends(2);
  await answerAll();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a file whose answer was lost is added when the server has it', async () => {
  await choose(1);
  answer(LOST);
  await sends(2);
  await answerAll(SAME);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a file that was moved since it was chosen is named, and the others are added', async () => {
  await choose(5);
  canRead = false;
  answer(LOST);
  await answerAll();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('note 0.txt: The file could not be read.');
  expect(sent).toBe(5);
});

test('files that are chosen while the last one is on its way go a few at once, too', async () => {
  await choose(4);
  answer(ADDED);
  await sends(4);
  while (open.length > 1) answer(ADDED);
  await screen.findByRole('progressbar', { name: 'Adding files: 3 of 4' });
  await user.upload(field(), [fileOf(5), fileOf(6), fileOf(7), fileOf(8)]);
  expect(open).toHaveLength(3);
  await answerAll();
  expect(sent).toBe(8);
});

test('a file above the limit of its kind is named and not sent', async () => {
  await choose(1);
  const large = (name: string, type: string, size: number) =>
    Object.defineProperty(new File(['x'], name, { type }), 'size', { value: size });
  const MB = 1024 * 1024;
  await user.upload(field(), [large('film.mp4', 'video/mp4', 900 * MB), large('a.png', 'image/png', 5 * MB + 1)]);
  await user.upload(field(), large('b.pdf', 'application/pdf', 10 * MB));
  await sends(2);
  await answerAll();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(`film.mp4: ${TEXTS.files.documentTooLarge}`);
  expect(alert.textContent).toContain(`a.png: ${TEXTS.files.imageTooLarge}`);
  expect(sent).toBe(2);
});

test('the beginning, each quarter and the end are read aloud, once those that were refused', async () => {
  await choose(9);
  const status = () => screen.getByRole('status').textContent;
  const said = new Set([status()]);
  expect(screen.queryByRole('alert')).toBeNull();
  answer(REFUSED);
  const mark = await screen.findByText('1 file was not added');
  for (let count = 0; count < 8; count += 1) {
    answer(ADDED);
    await waitFor(() =>
      expect(screen.queryByRole('progressbar', { name: `Adding files: ${count + 1} of 9` })).toBeNull(),
    );
    said.add(status());
  }
  expect([...said]).toEqual([0, 3, 6].map((ended) => `Adding files: ${ended} of 9`).concat('8 files were added'));
  // A new element: no screen reader says an alert that had been there as something else.
  await screen.findByRole('alert');
  expect(mark.isConnected).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Close this list' }));
  expect(status()).toBe('');
});

test('the focus stays in the panel when its button goes', async () => {
  await choose(1);
  screen.getByRole('button', { name: 'Stop adding' }).focus();
  await answerAll();
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});

test('a folder is added, and one list says what was left out, which is read aloud at the end', async () => {
  await choose(0);
  await chooseFolder('a/x.txt', 'a/b/y.txt', 'a/.DS_Store', 'a/1.png', 'a/2.png', 'a/3.png', 'a/4.png');
  expect(open).toHaveLength(2);
  expect(screen.queryByText('Not everything was added')).toBeNull();
  await answerAll();
  await screen.findByText('Not everything was added');
  screen.getByText('4 files of kinds without text: a/1.png, a/2.png, a/3.png, …');
  screen.getByText('1 hidden file or folder: a/.DS_Store');
  expect(screen.getByRole('status').textContent).toMatch(/^2 files were added\. Not everything was added\. 4 files/);
  await user.click(screen.getByRole('button', { name: 'Close this list' }));
  expect(screen.queryByText('1 hidden file or folder: a/.DS_Store')).toBeNull();
});

test('a folder of which nothing is sent says so and ends', async () => {
  await choose(0);
  await chooseFolder('a/.DS_Store');
  await screen.findByText('1 hidden file or folder: a/.DS_Store');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(sent).toBe(0);
});

/** A folder that the browser still looks through, and the end of it. */
function slowFolder(): { folder: FileSystemDirectoryEntry; end: () => void } {
  let end = (): void => undefined;
  const createReader = () => ({
    readEntries: (found: (entries: FileSystemEntry[]) => void) => (end = () => found([])),
  });
  return { folder: { name: 'slow', isDirectory: true, createReader } as never, end: () => end() };
}

test('a folder that is dropped is looked through before its files are sent, and may be empty', async () => {
  await choose(0);
  const { folder, end } = slowFolder();
  let adding: Promise<void> | undefined;
  act(() => {
    adding = addDropped(project, [folder, fileOf(1)]);
  });
  const bar = await screen.findByRole('progressbar', { name: 'Looking through the folder' });
  expect(bar.getAttribute('aria-valuenow')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Looking through the folder');
  await act(async () => (end(), adding));
  expect(open).toHaveLength(1);
  await answerAll();
  expect(screen.getByRole('status').textContent).toBe('1 file was added');
  const other = slowFolder();
  await act(async () => ((adding = addDropped(project, [other.folder])), other.end(), adding));
  await screen.findByText('The folder is empty.');
});

test('stopping ends the look through a folder', async () => {
  await choose(0);
  const { folder, end } = slowFolder();
  let adding: Promise<void> | undefined;
  act(() => {
    adding = addDropped(project, [folder, fileOf(1)]);
  });
  await user.click(await screen.findByRole('button', { name: 'Stop adding' }));
  await act(async () => (end(), adding));
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(sent).toBe(0);
});

test('stopping leaves the rest, and a later choice begins anew', async () => {
  await choose(10);
  await user.click(screen.getByRole('button', { name: 'Stop adding' }));
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(sent).toBe(3);
  open = [];
  await user.upload(field(), [fileOf(1)]);
  await answerAll();
  expect(sent).toBe(4);
});

test('an account that logs out meanwhile adds nothing more', async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  await choose(10);
  const aborted = jest.spyOn(XMLHttpRequest.prototype, 'abort');
  act(() => void queryClient.setQueryData(currentUserQuery.queryKey, null));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(aborted).toHaveBeenCalledTimes(3);
  expect(sent).toBe(3);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('the page asks before it is left, while files are added', async () => {
  const isAsked = (): boolean => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  await choose(1);
  expect(isAsked()).toBe(true);
  await answerAll();
  expect(isAsked()).toBe(false);
});
