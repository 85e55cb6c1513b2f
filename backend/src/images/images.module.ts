/** The calls of the image dialog. Their generations have no thread and run in `chat/generation`. */

import { Module } from '@nestjs/common';
import { GenerationModule } from '../chat/generation/generation.module.js';
import { ModelsModule } from '../models/models.module.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

@Module({
  imports: [GenerationModule, ModelsModule],
  controllers: [ImagesController],
  providers: [ImagesService],
})
export class ImagesModule {}
