import type { MessageNotice } from '@tanya/contract';

/** Remarks about an answer for its reader, each once: as codes, and as the sentences of messages of earlier versions. */
export class RunNotices {
  private sentences: string[] = [];
  private readonly byCode = new Map<string, MessageNotice>();

  add(sentence: string | null, notices: readonly MessageNotice[]): void {
    if (sentence !== null && !this.sentences.includes(sentence)) this.sentences.push(sentence);
    for (const notice of notices) this.byCode.set(notice.code, notice);
  }

  /** Removes a remark that no longer holds. */
  remove(sentence: string, notices: readonly MessageNotice[]): void {
    this.sentences = this.sentences.filter((each) => each !== sentence);
    for (const { code } of notices) this.byCode.delete(code);
  }

  /** Adds the remarks of a suspended run. */
  restore(sentences: readonly string[], notices: readonly MessageNotice[]): void {
    this.sentences.push(...sentences);
    for (const notice of notices) this.byCode.set(notice.code, notice);
  }

  /** The sentences, null without any. */
  get text(): string | null {
    return this.sentences.length === 0 ? null : this.sentences.join(' ');
  }

  get codes(): MessageNotice[] {
    return [...this.byCode.values()];
  }

  /** All remarks, for a run that is suspended. */
  get stored(): { notices: string[]; noticeCodes: MessageNotice[] } {
    return { notices: this.sentences, noticeCodes: this.codes };
  }
}
