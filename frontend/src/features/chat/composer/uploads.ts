import { upload } from '../../../app/api/upload';
import { noticeText } from '../../../app/i18n/error-sentence';
import { t } from '../../../app/i18n/translate';
import { notify } from '../../../components/feedback/notify';
import { FIELD_MAX } from '../shared/bounded-text';
import { type Attachment, type AttachmentList, newAttachment } from './attachment';
import { chooseFiles, uploadError } from './attachment-rules';

/** Concurrent uploads: the server reads each into memory. */
const PARALLEL = 3;

export class Uploads {
  /** The files of attachments that are not stored. */
  private readonly files = new Map<string, File>();
  private readonly aborts = new Map<string, AbortController>();
  private readonly waiting: string[] = [];

  constructor(private readonly list: AttachmentList) {}

  /** Attaches files, as many as the message can carry. */
  add(files: readonly File[]): void {
    const { accepted, notice } = chooseFiles(files, this.list.read().length);
    if (notice) notify(notice);
    for (const { file, kind, warning } of accepted) this.attach(newAttachment(file, kind, warning ?? null), file);
  }

  addText(text: string): void {
    const file = new File([text], this.unusedName(), { type: 'text/plain' });
    const { accepted, notice } = chooseFiles([file], this.list.read().length);
    if (notice || !accepted[0]) return notify(notice ?? { title: t('attachments.unreadable'), kind: 'error' });
    const attachment = newAttachment(file, 'document', null);
    this.attach({ ...attachment, ...(text.length <= FIELD_MAX && { pasted: text }) }, file);
  }

  /** Uploads a file again. */
  retry(id: string): void {
    if (!this.files.has(id)) return;
    this.patch(id, { error: null, progress: 0 });
    this.enqueue(id);
  }

  cancel(id: string): void {
    this.files.delete(id);
    this.aborts.get(id)?.abort();
  }

  private attach(attachment: Attachment, file: File): void {
    this.files.set(attachment.id, file);
    this.list.change((list) => [...list, attachment]);
    this.enqueue(attachment.id);
  }

  private enqueue(id: string): void {
    this.waiting.push(id);
    this.startNext();
  }

  private startNext(): void {
    if (this.aborts.size >= PARALLEL) return;
    const id = this.waiting.shift();
    if (id === undefined) return;
    const file = this.files.get(id);
    // Without a file the attachment was removed while it waited.
    if (file !== undefined) void this.run(id, file);
    this.startNext();
  }

  private async run(id: string, file: File): Promise<void> {
    const abort = new AbortController();
    this.aborts.set(id, abort);
    try {
      // Fails for a file that was moved or deleted since it was chosen, before the upload starts.
      await file.slice(0, 1).arrayBuffer();
      const { url, name, type, size, pages, pictures, notice, notices } = await upload(file, {
        signal: abort.signal,
        onProgress: (progress) => this.patch(id, { progress }),
      });
      this.files.delete(id);
      // The chip shows the number of pages as pictures, which is no warning.
      const warnings = notices?.filter(({ code }) => code !== 'pages_as_pictures');
      const warning = warnings?.length === 0 ? null : noticeText(warnings, notice ?? null);
      this.patch(id, { url, progress: 1, name, type, size, pages, pictures, ...(warning !== null && { warning }) });
    } catch (error) {
      const kind = this.list.read().find((attachment) => attachment.id === id)?.kind;
      if (kind !== undefined && !abort.signal.aborted) this.patch(id, { error: uploadError(error, kind) });
    } finally {
      this.aborts.delete(id);
      this.startNext();
    }
  }

  private patch(id: string, change: Partial<Attachment>): void {
    this.list.change((list) => list.map((each) => (each.id === id ? { ...each, ...change } : each)));
  }

  /** `Pasted text.txt`, with a number when the list has that name. */
  private unusedName(): string {
    const names = this.list.read().map(({ name }) => name);
    const base = t('attachments.pastedName');
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? `${base}.txt` : `${base} ${count}.txt`;
      if (!names.includes(name)) return name;
    }
  }
}
