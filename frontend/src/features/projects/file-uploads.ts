import { LIMITS, type ProjectFile } from '@tanya/contract';
import { create } from 'zustand';
import { ApiError, errorText, hasCode } from '../../app/api/api-error';
import { upload } from '../../app/api/upload';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { projectPath } from '../../app/queries/projects.query';
import { onOwnerChanged } from '../../app/session/page-owner';
import { type Dropped, filesOfChosen, filesOfFolders, type FolderFiles } from './folder-files';

export interface RefusedFile {
  name: string;
  /** Why it was not added, in the language of the page. */
  reason: string;
}

/** The files that this page adds to a project. */
export interface FileUploads {
  total: number;
  /** Files whose upload has ended, refused ones included. */
  ended: number;
  refused: RefusedFile[];
  /** Paths of files in folders that are not sent, and names of those that the project has already. */
  skipped: FolderFiles['skipped'] & { same: string[] };
  /** Whether a folder had too many files, and some were left out. */
  isCut: boolean;
  /** Whether a folder had no file at all. */
  isFolderEmpty: boolean;
  /** Folders that are being looked through. */
  folders: number;
  isRunning: boolean;
}

/** Uploads at once: the next file is on its way while the server stores one. */
const AT_ONCE = 3;

/** Tries of one file, within a minute where the server cannot be reached. */
const MAX_TRIES = 6;

/** Pause before the second try where the server names none, ms. It doubles with each further one. */
const RETRY_MS = 2_000;

/** The longest pause that the page waits for by itself, seconds. */
const MAX_WAIT = 90;

const NOTHING: FileUploads = {
  total: 0,
  ended: 0,
  refused: [],
  skipped: { hidden: [], empty: [], kind: [], same: [] },
  isCut: false,
  isFolderEmpty: false,
  folders: 0,
  isRunning: false,
};

const useUploads = create<{ projects: Record<number, FileUploads> }>()(() => ({ projects: {} }));

/** The uploads of a project. They go on while other pages of the product are shown. */
export const useFileUploads = (id: number): FileUploads => useUploads(({ projects }) => projects[id] ?? NOTHING);

interface Run {
  waiting: File[];
  /** Workers that upload one waiting file after the other. */
  workers: number;
  controller: AbortController;
}

const runs = new Map<number, Run>();

const change = (id: number, part: Partial<FileUploads>): void =>
  useUploads.setState(({ projects }) => ({
    projects: { ...projects, [id]: { ...NOTHING, ...projects[id], ...part } },
  }));

const stateOf = (id: number): FileUploads => useUploads.getState().projects[id] ?? NOTHING;

/** Adds files to a project, after those that are still being added. */
export function addFiles(id: number, files: readonly File[]): void {
  if (files.length > 0) addTo(id, runs.get(id) ?? begin(id), files);
}

export function addChosenFolder(id: number, files: readonly File[]): void {
  if (files.length > 0) addFound(id, runs.get(id) ?? begin(id), filesOfChosen(files));
}

/** Adds what was dropped or pasted: files, and those in folders. */
export async function addDropped(id: number, dropped: readonly Dropped[]): Promise<void> {
  const files = dropped.filter((given) => given instanceof File);
  if (files.length === dropped.length) return addFiles(id, files);
  const run = runs.get(id) ?? begin(id);
  change(id, { folders: stateOf(id).folders + 1 });
  const found = await filesOfFolders(dropped, run.controller.signal);
  if (run.controller.signal.aborted) return;
  change(id, { folders: stateOf(id).folders - 1 });
  addFound(id, run, found);
}

/** Those that are stored already stay in the project. */
export function stopAdding(id: number): void {
  runs.get(id)?.controller.abort();
  end(id);
}

export function forgetNotAdded(id: number): void {
  change(id, NOTHING);
}

function addFound(id: number, run: Run, { files, skipped, unreadable, isCut }: FolderFiles): void {
  const { total, ended, refused, skipped: before, isCut: wasCut } = stateOf(id);
  const reason = t('projects.unreadableFile');
  change(id, {
    total: total + unreadable.length,
    ended: ended + unreadable.length,
    refused: [...refused, ...unreadable.map((name) => ({ name, reason }))],
    skipped: {
      ...before,
      hidden: [...before.hidden, ...skipped.hidden],
      empty: [...before.empty, ...skipped.empty],
      kind: [...before.kind, ...skipped.kind],
    },
    isCut: isCut || wasCut,
    isFolderEmpty: files.length + unreadable.length + Object.values(skipped).flat().length === 0,
  });
  addTo(id, run, files);
}

function addTo(id: number, run: Run, files: readonly File[]): void {
  run.waiting = [...run.waiting, ...files];
  change(id, { total: stateOf(id).total + files.length });
  while (run.workers < AT_ONCE && run.waiting.length > 0) void addWaiting(id, run);
  endOnceDone(id, run);
}

/** Ends a run that neither uploads nor looks through a folder. */
function endOnceDone(id: number, run: Run): void {
  if (run.workers === 0 && stateOf(id).folders === 0) end(id);
}

function begin(id: number): Run {
  const run: Run = { waiting: [], workers: 0, controller: new AbortController() };
  runs.set(id, run);
  change(id, { ...NOTHING, isRunning: true });
  window.addEventListener('beforeunload', askBeforeUnload);
  return run;
}

function end(id: number): void {
  runs.delete(id);
  if (runs.size === 0) window.removeEventListener('beforeunload', askBeforeUnload);
  change(id, { folders: 0, isRunning: false });
  void queryClient.invalidateQueries({ queryKey: ['projects'] });
}

/** Adds one waiting file after the other. The last worker ends the run. */
async function addWaiting(id: number, run: Run): Promise<void> {
  const { signal } = run.controller;
  run.workers += 1;
  for (let file = run.waiting.shift(); file !== undefined; file = run.waiting.shift()) {
    const error = await addOne(id, file, signal);
    if (signal.aborted) return;
    const isSame = isThere(error);
    let refused = error === null || isSame ? [] : [file];
    // What ends one refuses all others, too: none of them is sent in vain.
    if (error !== null && endsAll(error)) refused = refused.concat(run.waiting.splice(0));
    const { ended, refused: before, skipped } = stateOf(id);
    const reason = error === null ? '' : errorText(error);
    change(id, {
      ended: ended + Math.max(refused.length, 1),
      ...(isSame && { skipped: { ...skipped, same: [...skipped.same, file.name] } }),
      refused: [...before, ...refused.map(({ name }) => ({ name, reason }))],
    });
  }
  run.workers -= 1;
  endOnceDone(id, run);
}

/** @returns why the file was not added; null where it was, or where all were stopped */
async function addOne(id: number, file: File, signal: AbortSignal): Promise<unknown> {
  const tooLarge = tooLargeText(file);
  if (tooLarge !== null) return new Error(tooLarge);
  let isLost = false;
  for (let tries = 1; ; tries += 1) {
    try {
      await upload<ProjectFile>(file, { path: `${projectPath(id)}/files`, signal });
      return null;
    } catch (error) {
      // The answer to an earlier try was lost after the file had been stored.
      if (signal.aborted || (isLost && isThere(error))) return null;
      if (hasCode(error, 'network') && !(await isReadable(file))) return new Error(t('projects.unreadableFile'));
      const pause = pauseAfter(error, tries);
      if (pause === null) return error;
      isLost ||= hasCode(error, 'network');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }
}

/**
 * Why the server would refuse the file unread; null where it would not. It closes the connection of a larger body, which
 * looks like a server that is out of reach.
 */
function tooLargeText({ type, size }: File): string | null {
  if (type.startsWith('image/')) return size > LIMITS.imageBytes ? t('files.imageTooLarge') : null;
  return size > LIMITS.documentBytes ? t('files.documentTooLarge') : null;
}

/** A file that was moved or changed since it was chosen looks like a server that is out of reach. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** How long to wait before the same file is sent again, ms; null where that would not help. */
function pauseAfter(error: unknown, tries: number): number | null {
  if (!(error instanceof ApiError) || tries >= MAX_TRIES) return null;
  const { code, status, body } = error;
  // A full storage may have room later, too, but not while the page waits.
  if (code !== 'network' && status !== 429 && status !== 503) return null;
  const seconds = body?.retryAfter;
  if (seconds === undefined) return RETRY_MS * 2 ** (tries - 1);
  return seconds > MAX_WAIT ? null : seconds * 1_000;
}

const reasonOf = (error: ApiError): unknown => {
  const details = error.body?.details;
  return Array.isArray(details) ? undefined : details?.params?.['reason'];
};

const isThere = (error: unknown): boolean => hasCode(error, 'conflict') && reasonOf(error) === 'file_exists';

const endsAll = (error: unknown): boolean =>
  hasCode(error, 'network', 'unauthenticated', 'forbidden', 'not_found', 'rate_limited') ||
  (hasCode(error, 'storage_full') && reasonOf(error) === 'project_files');

// The files of one account must not reach another one.
onOwnerChanged(() => {
  for (const id of [...runs.keys()]) stopAdding(id);
  useUploads.setState({ projects: {} });
});

/** Makes the browser ask before a reload ends the uploads. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
