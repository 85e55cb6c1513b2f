import type { ChatCompletionMessage, ResponseObject } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { ownerUserId } from '../../identity/identity.js';
import { ResponseStore } from './response-store.js';
import { RUNNING, toResponse } from './response-view.js';

/** A response has up to 1 MB of input. */
const BATCH = 20;

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
    const ids = await this.store.ids(userId);
    for (let at = 0; at < ids.length; at += BATCH) {
      for (const stored of await this.store.findMany(userId, ids.slice(at, at + BATCH)))
        yield { ...toResponse(stored, stored.state ?? RUNNING), input: stored.input };
    }
  }
}
