/**
 * The tables of threads, messages, ratings and summaries: SQL, views, the stored form of content and its text for search; writing
 * whole conversations, imported ones included.
 * Not here: running answers (`chat/generation`), what an owner may do with a thread (`chat/threads`).
 */

import { Module } from '@nestjs/common';
import { ConversationWriter } from './conversation-writer.js';
import { FeedbackStore } from './feedback-store.js';
import { MessageStore } from './message-store.js';
import { TextQuota } from './text-quota.js';
import { ThreadLifetimes } from './thread-lifetimes.js';
import { ThreadStore } from './thread-store.js';
import { SummaryStore } from './summary-store.js';
import { TrashStore } from './trash-store.js';

@Module({
  providers: [
    ConversationWriter,
    FeedbackStore,
    MessageStore,
    TextQuota,
    SummaryStore,
    ThreadLifetimes,
    ThreadStore,
    TrashStore,
  ],
  exports: [
    ConversationWriter,
    FeedbackStore,
    MessageStore,
    TextQuota,
    SummaryStore,
    ThreadLifetimes,
    ThreadStore,
    TrashStore,
  ],
})
export class MessagesModule {}
