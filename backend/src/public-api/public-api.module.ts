import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { UsersModule } from '../users/users.module.js';
import { CompletionsController } from './completions.controller.js';
import { CompletionsService } from './completions.service.js';

@Module({
  imports: [ChatModule, ModelsModule, QuotaModule, UsersModule],
  controllers: [CompletionsController],
  providers: [CompletionsService],
})
export class PublicApiModule {}
