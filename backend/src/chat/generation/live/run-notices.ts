import type { MessageNotice } from '@tanya/contract';

/** Remarks about an answer for its reader, each code once. */
export class RunNotices {
  private readonly byCode = new Map<MessageNotice['code'], MessageNotice>();

  add(...notices: readonly MessageNotice[]): void {
    for (const notice of notices) this.byCode.set(notice.code, notice);
  }

  has(code: MessageNotice['code']): boolean {
    return this.byCode.has(code);
  }

  remove(code: MessageNotice['code']): void {
    this.byCode.delete(code);
  }

  get all(): MessageNotice[] {
    return [...this.byCode.values()];
  }
}
