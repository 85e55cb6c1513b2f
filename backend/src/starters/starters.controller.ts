import type { ConversationStarter } from '@tanya/contract';
import { Controller, Get } from '@nestjs/common';
import { StartersService } from './starters.service.js';

@Controller('api/conversation-starter')
export class StartersController {
  constructor(private readonly starters: StartersService) {}

  @Get()
  next(): ConversationStarter {
    return { prompt: this.starters.next() };
  }
}
