import { DATA_EXPORT_SCHEMA } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ConversationExport } from '../chat/threads/conversation-export.js';
import { markdownExport } from '../chat/threads/thread-export.js';
import { ThreadsService } from '../chat/threads/threads.service.js';
import { FileExport } from '../files/file-export.js';
import { FilesService } from '../files/files.service.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Owner, userOwner } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { dayOf } from '../platform/http/day-param.js';
import { jsonPieces } from '../platform/json/json-writer.js';
import { ProjectExport } from '../projects/project-export.js';
import { inSlices, Slices } from '../platform/system/slices.js';
import { UsageCsv } from '../quota/usage/usage-csv.service.js';
import { UsersService } from '../users/users.service.js';
import { ArchiveWriter } from './archive-writer.js';

/** Parts of the account's data that have entries of their own. */
const OWN_ENTRIES = new Set(['threads', 'messages', 'files']);

/** Media types whose contents are compressed already. */
const IS_COMPRESSED = /^(image|audio|video)\/|zip|officedocument|pdf/;

/** Tells how far an archive is. @param progress 0 to 1 */
type OnProgress = (progress: number, bytes: number) => void;

/** Writes everything of an account into an archive. */
@Injectable()
export class AccountArchive {
  constructor(
    private readonly conversations: ConversationExport,
    private readonly threads: ThreadsService,
    private readonly files: FilesService,
    private readonly fileRows: FileExport,
    private readonly projects: ProjectExport,
    private readonly usage: UsageCsv,
    private readonly users: UsersService,
    private readonly hooks: AccountLifecycleHooks,
  ) {}

  /** @returns bytes of the archive. @throws when the signal is aborted, and errors of the disk and of the storage */
  async write(userId: number, path: string, onProgress: OnProgress, signal: AbortSignal): Promise<number> {
    const owner = userOwner(userId);
    let progress = 0;
    // One thread may be most of the account.
    const archive = new ArchiveWriter(path, signal, () => onProgress(progress, archive.bytes));
    const counts = { threads: 0, messages: 0, files: 0 };
    const total = Math.max(1, await this.conversations.countOf(owner));
    for await (const thread of this.conversations.threadsOf(owner)) {
      const name = `threads/${thread.id}`;
      await archive.add(
        `${name}.json`,
        this.threadJson(thread, (messages) => (counts.messages += messages)),
      );
      await archive.add(`${name}.md`, this.threadMarkdown(owner, thread.id, thread.title));
      counts.threads += 1;
      progress = Math.min(0.9, (0.9 * counts.threads) / total);
    }
    const named = new Map<string, object>();
    for (const { id, name, type, createdAt } of await this.fileRows.rowsOf(owner)) {
      const entry = `files/${id}${extensionOf(name)}`;
      const contents = await this.files.read({ id }).catch(unlessDeleted);
      if (contents === null) continue;
      await archive.add(entry, contents, !IS_COMPRESSED.test(type));
      named.set(entry, { id, name, type, createdAt });
      counts.files += 1;
      progress = 0.95;
    }
    for await (const project of this.projects.ownedBy(owner)) {
      for (const { id, name, type, createdAt } of project.files) {
        const contents = await this.files.read({ id }).catch(unlessDeleted);
        if (contents === null) continue;
        const entry = `projects/${project.id}/${id}${extensionOf(name)}`;
        await archive.add(entry, contents, !IS_COMPRESSED.test(type));
        named.set(entry, { id, name, type, createdAt });
      }
    }
    await archive.add('usage.csv', this.usageOf(userId));
    await archive.add('preferences.json', this.preferencesOf(owner));
    const entries = archive.entries.map((entry) => ({ ...entry, ...named.get(entry.path) }));
    const manifest = { schema: DATA_EXPORT_SCHEMA, createdAt: new Date(), counts, entries };
    await archive.add('manifest.json', inSlices(jsonPieces(manifest), new Slices()));
    await archive.close();
    return archive.bytes;
  }

  /** A thread with every version of every message, as the export of an account has it, which an import reads. */
  private async *threadJson(thread: { id: number }, onMessages: (messages: number) => void): AsyncGenerator<string> {
    const slices = new Slices();
    yield `{"threads":[${JSON.stringify(thread)}],"messages":[`;
    let start = '\n';
    for await (const message of this.conversations.messagesOf(thread.id)) {
      yield start;
      yield* inSlices(jsonPieces(message), slices);
      start = ',\n';
      onMessages(1);
    }
    yield ']}\n';
  }

  private async *threadMarkdown(owner: Owner, id: number, title: string): AsyncGenerator<string> {
    try {
      const { slices } = await this.threads.conversation(owner, id);
      yield* markdownExport(title, slices, { outlines: (ids) => this.fileRows.outlines(owner, ids) });
    } catch (error) {
      unlessDeleted(error);
    }
  }

  private async *usageOf(userId: number): AsyncGenerator<string> {
    const { createdAt } = await this.users.get(userId);
    yield* this.usage.linesOf({ from: dayOf(createdAt.getTime()), to: dayOf(Date.now()) }, { userId });
  }

  private async *preferencesOf(owner: Owner): AsyncGenerator<string> {
    const slices = new Slices();
    let start = '{\n';
    for (const [name, items] of this.hooks.exportOf(owner)) {
      if (OWN_ENTRIES.has(name)) continue;
      yield `${start}${JSON.stringify(name)}:[`;
      let separator = '';
      for await (const item of items) {
        yield separator;
        yield* inSlices(jsonPieces(item), slices);
        separator = ',\n';
      }
      yield ']';
      start = ',\n';
    }
    yield start === '{\n' ? '{}\n' : '}\n';
  }
}

/** @returns null for what was deleted since the list was read. @throws other errors: the archive would lack what is there */
function unlessDeleted(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

/** The end of a name as a name of an entry may have it; '' without one. */
function extensionOf(name: string): string {
  return /\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? '';
}
