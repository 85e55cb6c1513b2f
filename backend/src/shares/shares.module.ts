/**
 * Share links: snapshots of threads with copies of their files, public reading, copies for other clients, limits and
 * expiry. Copies of own threads, which are made alike.
 * Not here: the thread itself (`chat/threads`).
 */

import { Module } from '@nestjs/common';
import { MessagesModule } from '../chat/messages/messages.module.js';
import { ThreadsModule } from '../chat/threads/threads.module.js';
import { FilesModule } from '../files/files.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ShareLimits } from './share-limits.js';
import { ShareStore } from './share-store.js';
import { ShareSweep } from './share-sweep.js';
import { SharedController } from './shared.controller.js';
import { SharedConversations } from './shared-conversations.js';
import { AdminSharesController, SharesController } from './shares.controller.js';
import { SharesService } from './shares.service.js';
import { ThreadCopies } from './thread-copies.js';

@Module({
  imports: [FilesModule, MessagesModule, SettingsModule, ThreadsModule],
  controllers: [AdminSharesController, SharedController, SharesController],
  providers: [SharedConversations, ShareLimits, SharesService, ShareStore, ShareSweep, ThreadCopies],
})
export class SharesModule {}
