import type { ChatCompletionMessage, ResponseObject } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { ownerUserId } from '../../identity/identity.js';
import { ResponseStore } from './response-store.js';
import { RUNNING, toResponse } from './response-view.js';

interface ExportedResponse extends ResponseObject {
  /** The messages of its own request. */
  input: ChatCompletionMessage[];
}

/** The stored responses in the export of an account. */
@Injectable()
export class ResponseExport {
  constructor(
    private readonly store: ResponseStore,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('responses', (owner) => this.exportOf(ownerUserId(owner)));
  }

  private async *exportOf(userId: number | null): AsyncGenerator<ExportedResponse> {
    if (userId === null) return;
    const outlines = await this.store.outlines(userId);
    for await (const { id, input, state } of this.store.texts(userId, outlines)) {
      const stored = await this.store.find(userId, id);
      if (stored !== null) yield { ...toResponse(stored, state ?? RUNNING), input };
    }
  }
}
