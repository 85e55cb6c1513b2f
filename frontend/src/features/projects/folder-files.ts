import { LIMITS } from '@tanya/contract';
import { IMAGE_NAME, PROGRAMS } from '../../components/files/file-kinds';

/** Why files of a folder are not sent. */
export type SkipReason = 'hidden' | 'empty' | 'kind';

/** The files of folders that were dropped or chosen. */
export interface FolderFiles {
  /** Those to add, with names that tell them apart. */
  files: File[];
  /** Paths of files that are not sent, and of hidden folders. */
  skipped: Record<SkipReason, string[]>;
  /** Names of files and folders that the browser may not read. */
  unreadable: string[];
  /** Whether there are more than `MAX_ENTRIES`, which were left out. */
  isCut: boolean;
}

/** What was dropped: a file, or a folder that is read later. */
export type Dropped = File | FileSystemDirectoryEntry;

/** Files and folders that are looked at. */
export const MAX_ENTRIES = 10_000;

/** Files that systems and programs keep beside those of people. */
const OF_SYSTEM = /^(\.|~\$|__macosx$|node_modules$|(eh)?thumbs(_vista)?\.db$|desktop\.ini$|icon\r$)/i;

/** Pictures, sound, films and fonts: the files of a project are found and cited by their text. */
const MEDIA_NAME =
  /\.(mp[34]|m4[abv]|aac|ogg|oga|opus|flac|wav|wma|mov|avi|mkv|webm|wmv|flv|mpe?g|3gp|ttf|otf|woff2?)$/i;
const MEDIA_TYPE = /^(image|audio|font)\//;

/** The files and folders of a drop or a paste. The browser forgets them after its event. */
export function droppedIn({ items, files }: DataTransfer): Dropped[] {
  // Older browsers have no entries of folders.
  if (typeof DataTransferItem === 'undefined' || !('webkitGetAsEntry' in DataTransferItem.prototype)) return [...files];
  return [...items].flatMap<Dropped>((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    if (entry?.isDirectory) return [entry as FileSystemDirectoryEntry];
    return item.getAsFile() ?? [];
  });
}

interface Found {
  file: File;
  /** Names of the folders around it. */
  folders: readonly string[];
}

class Collection {
  readonly found: Found[] = [];
  readonly skipped: FolderFiles['skipped'] = { hidden: [], empty: [], kind: [] };
  readonly unreadable: string[] = [];
  isCut = false;
  private seen = 0;

  /** Whether one more may be looked at. */
  admit(): boolean {
    this.isCut ||= this.seen >= MAX_ENTRIES;
    this.seen += 1;
    return !this.isCut;
  }

  add(file: File, folders: readonly string[]): void {
    const { name, type, size } = file;
    const isMedia = MEDIA_TYPE.test(type) || MEDIA_NAME.test(name) || IMAGE_NAME.test(name) || PROGRAMS.test(name);
    const reason: SkipReason | null = size === 0 ? 'empty' : isMedia ? 'kind' : null;
    if (reason === null) this.found.push({ file, folders });
    else this.skipped[reason].push(pathOf(folders, name));
  }

  /** @returns whether a file or a folder is of a system, which is noted */
  skips(name: string, folders: readonly string[]): boolean {
    if (!OF_SYSTEM.test(name)) return false;
    this.skipped.hidden.push(pathOf(folders, name));
    return true;
  }

  end(): FolderFiles {
    const { found, skipped, unreadable, isCut } = this;
    return { files: toldApart(found), skipped, unreadable, isCut };
  }
}

/** Looks through folders and those inside. Stops early once the signal is aborted. */
export async function filesOfFolders(dropped: readonly Dropped[], signal: AbortSignal): Promise<FolderFiles> {
  const collection = new Collection();
  const waiting: { folder: FileSystemDirectoryEntry; folders: string[] }[] = [];
  for (const given of dropped) {
    // A file that was dropped itself is meant, whatever it is: the server says why it cannot be read.
    if (given instanceof File) collection.found.push({ file: given, folders: [] });
    else waiting.push({ folder: given, folders: [given.name] });
  }
  for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
    const { folder, folders } = next;
    const reader = folder.createReader();
    try {
      for (let batch = await entriesOf(reader); batch.length > 0 && !signal.aborted; batch = await entriesOf(reader)) {
        const wanted = batch.filter(({ name }) => collection.admit() && !collection.skips(name, folders));
        for (const entry of wanted)
          if (entry.isDirectory)
            waiting.push({ folder: entry as FileSystemDirectoryEntry, folders: [...folders, entry.name] });
        const files = wanted.filter(({ isFile }) => isFile) as FileSystemFileEntry[];
        for (const [at, file] of (await Promise.all(files.map(fileOf))).entries())
          if (file === null) collection.unreadable.push(pathOf(folders, files[at]!.name));
          else collection.add(file, folders);
        if (collection.isCut) return collection.end();
      }
    } catch {
      collection.unreadable.push(folders.join('/'));
    }
  }
  return collection.end();
}

/** The files of a folder that was chosen, which the browser has listed with those inside. */
export function filesOfChosen(files: readonly File[]): FolderFiles {
  const collection = new Collection();
  const hidden = new Set<string>();
  for (const file of files) {
    const path = file.webkitRelativePath.split('/');
    const folders = path.slice(0, -1);
    // The folder itself was chosen, whatever its name.
    const at = path.findIndex((name, index) => index > 0 && OF_SYSTEM.test(name));
    if (at >= 0) hidden.add(path.slice(0, at + 1).join('/'));
    else if (collection.admit()) collection.add(file, folders);
    else break;
  }
  collection.skipped.hidden.push(...hidden);
  return collection.end();
}

/** A few at a time, and none at the end. */
const entriesOf = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((resolve) => entry.file(resolve, () => resolve(null)));

const pathOf = (folders: readonly string[], name: string): string => [...folders, name].join('/');

/**
 * Gives files of one name that of their folder, too, so that a citation says which one is meant: `report (2024).pdf`.
 * The project gives those that are still the same numbers.
 */
function toldApart(found: readonly Found[]): File[] {
  const byName = new Map<string, Found[]>();
  for (const one of found) {
    const key = one.file.name.toLowerCase();
    const same = byName.get(key);
    if (same === undefined) byName.set(key, [one]);
    else same.push(one);
  }
  const depths = new Map([...byName].map(([key, same]) => [key, same.length === 1 ? 0 : depthOf(same)]));
  return found.map(({ file, folders }) => {
    const depth = depths.get(file.name.toLowerCase())!;
    return depth === 0 || folders.length === 0 ? file : withPlace(file, folders.slice(-depth).join(' - '));
  });
}

/** How many of the innermost folders tell files of one name apart. */
function depthOf(same: readonly Found[]): number {
  const deepest = Math.max(...same.map(({ folders }) => folders.length));
  for (let depth = 1; depth < deepest; depth += 1) {
    const places = new Set(same.map(({ folders }) => folders.slice(-depth).join('/').toLowerCase()));
    if (places.size === same.length) return depth;
  }
  return deepest;
}

/** Characters of a name that tell the folders of its file, the innermost ones. */
const MAX_PLACE = 100;

function withPlace(file: File, place: string): File {
  const [, stem = '', extension = ''] = /^(.+?)(\.[^.]{1,16})?$/s.exec(file.name)!;
  const end = ` (${place.slice(-MAX_PLACE)})${extension}`.toWellFormed();
  const name = `${stem.slice(0, LIMITS.fileName.max - end.length)}${end}`.toWellFormed();
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}
