import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module.js';
import { ModelsModule } from '../models/models.module.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

@Module({
  imports: [ChatModule, ModelsModule],
  controllers: [ImagesController],
  providers: [ImagesService],
})
export class ImagesModule {}
