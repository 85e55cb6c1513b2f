import type { PagePicture, ProjectFile, ProjectSection, SearchHit } from '@tanya/contract';
import { Controller, Delete, Get, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { SmallIdPipe, UuidPipe } from '../platform/http/id.pipe.js';
import { createValidationPipe } from '../platform/http/validation.pipe.js';
import { CopyFileDto } from './projects.dto.js';
import { ProjectFilesService } from './project-files.service.js';
import { ProjectSearch } from './search/project-search.js';

const validation = createValidationPipe();

@Controller('api/projects/:id')
@UseGuards(SignedInGuard)
export class ProjectFilesController {
  constructor(
    private readonly files: ProjectFilesService,
    private readonly searches: ProjectSearch,
  ) {}

  @Get('files')
  list(@CurrentIdentity() identity: Identity, @Param('id', SmallIdPipe) id: number): Promise<ProjectFile[]> {
    return this.files.list(identity, id);
  }

  /** One file as a form, or a copy of an own file by its id. */
  @Post('files')
  async add(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Req() request: Request,
  ): Promise<ProjectFile> {
    if (!request.is('application/json')) return this.files.upload(identity, id, request);
    const metadata = { type: 'body', metatype: CopyFileDto } as const;
    const { fileId } = (await validation.transform(request.body, metadata)) as CopyFileDto;
    return this.files.copy(identity, id, fileId);
  }

  @Get('files/:fileId')
  one(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Param('fileId', UuidPipe) fileId: string,
  ): Promise<ProjectFile> {
    return this.files.find(identity, id, fileId);
  }

  @Delete('files/:fileId')
  delete(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Param('fileId', UuidPipe) fileId: string,
  ): Promise<void> {
    return this.files.delete(identity, id, fileId);
  }

  /** The text of a file from the section `from` on. */
  @Get('files/:fileId/sections')
  sections(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Param('fileId', UuidPipe) fileId: string,
    @Query('from') from: unknown,
  ): Promise<ProjectSection[]> {
    return this.files.sections(identity, id, fileId, sectionIn(from));
  }

  /** A page of a PDF as a picture. */
  @Get('files/:fileId/pages/:page')
  page(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Param('fileId', UuidPipe) fileId: string,
    @Param('page', SmallIdPipe) page: number,
  ): Promise<PagePicture> {
    return this.files.page(identity, id, fileId, page);
  }

  @Get('search')
  search(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Query('q') query: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SearchHit[]> {
    const left = new AbortController();
    // Nobody reads this error.
    response.once('close', () => left.abort(new AppError('server_busy')));
    return this.searches.forMember(identity, id, typeof query === 'string' ? query : '', left.signal);
  }
}

/** The index of a section; 0 for any other text. */
const sectionIn = (given: unknown): number =>
  typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : 0;
