import { Module } from '@nestjs/common';
import { ConversationWriter } from './conversation-writer.js';
import { FeedbackStore } from './feedback-store.js';
import { MessageStore } from './message-store.js';
import { StoredTextQuota } from './stored-text-quota.js';
import { ThreadStore } from './thread-store.js';
import { TrashStore } from './trash-store.js';

/**
 * The tables of threads, messages and ratings: their SQL, their views, the stored form of a message. Running
 * answers are in `generation`; what an owner may do with a thread is decided in `threads`.
 */
@Module({
  providers: [ConversationWriter, FeedbackStore, MessageStore, StoredTextQuota, ThreadStore, TrashStore],
  exports: [ConversationWriter, FeedbackStore, MessageStore, StoredTextQuota, ThreadStore, TrashStore],
})
export class MessagesModule {}
