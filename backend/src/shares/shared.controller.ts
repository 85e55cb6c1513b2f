import { pipeline } from 'node:stream/promises';
import type { ContinueShareResponse } from '@tanya/contract';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendFile } from '../files/file-response.js';
import { FilesService } from '../files/files.service.js';
import { CurrentIdentity, OpenTo } from '../identity/guards.js';
import type { Identity, Refusal } from '../identity/identity.js';
import { SharedConversations } from './shared-conversations.js';

const FOR_READERS: Refusal[] = ['unauthenticated', 'password_change_required', 'totp_enrollment_required'];

/** Public access to shared conversations. */
@Controller('api/share/:token')
export class SharedController {
  constructor(
    private readonly conversations: SharedConversations,
    private readonly files: FilesService,
  ) {}

  /** Sends the stored JSON of the messages as it is, in pieces: a long conversation would block the process. */
  @Get()
  @OpenTo(...FOR_READERS)
  async read(
    @CurrentIdentity() identity: Identity,
    @Param('token') token: string,
    @Res() response: Response,
  ): Promise<void> {
    const { title, createdAt, json } = await this.conversations.read(identity, token);
    const head = JSON.stringify({ title, createdAt: createdAt.toISOString() }).slice(0, -1);
    response.type('json');
    await pipeline([`${head},"messages":`, ...json, '}'], response).catch(() => response.destroy());
  }

  @Get('files/:fileId')
  @OpenTo(...FOR_READERS)
  async download(
    @CurrentIdentity() identity: Identity,
    @Param('token') token: string,
    @Param('fileId') fileId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.conversations.file(identity, token, fileId);
    await sendFile(request, response, file, (range) => this.files.read(file, range));
  }

  @Post('continue')
  continue(@CurrentIdentity() identity: Identity, @Param('token') token: string): Promise<ContinueShareResponse> {
    return this.conversations.continue(identity, token);
  }
}
