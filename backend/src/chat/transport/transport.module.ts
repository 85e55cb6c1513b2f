/**
 * How pages and clients reach the chat: socket gateway, identity of its sockets, what they are told of changes, REST
 * controllers, DTOs, rate limits of reads. A handler calls one service of `chat/generation` or `chat/threads`; rules of
 * the product belong there.
 */

import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ConnectionsModule } from '../../connections/connections.module.js';
import { FailuresModule } from '../../failures/failures.module.js';
import { FilesModule } from '../../files/files.module.js';
import { ModelsModule } from '../../models/models.module.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { SettingsModule } from '../../settings/settings.module.js';
import { GenerationModule } from '../generation/generation.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { ChatController } from './chat.controller.js';
import { ChatGateway } from './chat.gateway.js';
import { FeedbackController } from './feedback.controller.js';
import { InstallationController } from './installation.controller.js';
import { ModelUsesController } from './model-uses.controller.js';
import { ReadLimits } from './read-limits.js';
import { RetentionController } from './retention.controller.js';
import { SearchController } from './search.controller.js';
import { SendRateLimitMiddleware } from './send-rate-limit.middleware.js';
import { SocketBroadcasts } from './socket-broadcasts.js';
import { SocketSessions } from './socket-sessions.js';
import { ThreadsController } from './threads.controller.js';

@Module({
  imports: [
    AuthModule,
    ConnectionsModule,
    FailuresModule,
    FilesModule,
    GenerationModule,
    MessagesModule,
    ModelsModule,
    QuotaModule,
    SettingsModule,
    ThreadsModule,
  ],
  controllers: [
    ChatController,
    FeedbackController,
    InstallationController,
    ModelUsesController,
    RetentionController,
    SearchController,
    ThreadsController,
  ],
  providers: [ChatGateway, ReadLimits, SocketBroadcasts, SocketSessions],
})
export class TransportModule implements NestModule {
  /** The 24 MB body of this one call is read after the session and the rate limit are checked. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(SendRateLimitMiddleware).forRoutes({ path: 'api/chat/message', method: RequestMethod.POST });
  }
}
