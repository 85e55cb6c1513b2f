/**
 * Files of owners: rows, downloads, attachments of messages, storage limits, trash and removal.
 * Not here: which files a prompt contains (`chat/generation/prompt`), bodies that are no files (`platform/bodies`).
 * - `upload`: streaming uploads to disk, their rate limits
 * - `inspection`: the type of a file: signature, text or binary
 * - `formats`: readers of documents inside the sandbox: sections with their place
 * - `formats/text`: texts, their encodings, and letters that only their look tells apart
 * - `formats/pdf`: those of PDF: text, pictures of pages, places of words
 * - `formats/office`: those of Word, PowerPoint and LibreOffice, and what they share
 * - `formats/office/drawn`: vector pictures, and shapes before 2007
 * - `formats/office/sheets`: those of Excel
 * - `formats/office/equations`: equations as lines
 * - `formats/office/lists`: numbers and bullets of lists
 * - `formats/office/forms`: fields of forms in OpenDocument
 * - `formats/doc`: those of Word before 2007
 * - `formats/ppt`: those of PowerPoint before 2007
 * - `extract`: callers of the readers: text of documents and web pages, pictures of pages, notices about them
 * - `images`: re-encoding of images: code inside the sandbox, and its caller
 * - `projects`: documents of projects: their bytes, the reading of their text, pictures of their pages
 * - `logo`: the logo of the installation
 * - `store`: bytes on disk or in S3
 */

import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENV, type Env } from '../config/env.js';
import { MemoryBudget } from '../platform/sandbox/memory-budget.js';
import { PageDrawer } from './extract/page-drawer.js';
import { PageExtractor } from './extract/page-extractor.js';
import { TextExtractor } from './extract/text-extractor.js';
import { DocumentReader } from './document-reader.js';
import { AttachedFiles } from './attached-files.js';
import { FileCopier } from './file-copies.js';
import { FileExport } from './file-export.js';
import { FileIntake } from './file-intake.js';
import { FileRemoval } from './file-removal.js';
import { FileSweep } from './file-sweep.js';
import { FileEntity } from './file.entity.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';
import { createImageSandbox, IMAGE_SANDBOX, ImageEncoder } from './images/image-encoder.js';
import { LogoController } from './logo/logo.controller.js';
import { LogoIntake } from './logo/logo-intake.js';
import { SettingsModule } from '../settings/settings.module.js';
import { DataUrlFiles } from './data-url-files.js';
import { ModelFiles } from './model-files.js';
import { DocumentPages } from './projects/document-pages.js';
import { ProjectDocuments } from './projects/project-documents.js';
import { FileQuota } from './file-quota.js';
import { FILE_STORE } from './store/file-store.js';
import { filesFolder, openFileStore } from './store/open-file-store.js';
import { Staging } from './upload/staging.js';
import { UploadRateLimit } from './upload/upload-rate-limit.js';

@Module({
  imports: [SettingsModule, TypeOrmModule.forFeature([FileEntity])],
  controllers: [FilesController, LogoController],
  providers: [
    { provide: FILE_STORE, inject: [ENV], useFactory: (env: Env) => openFileStore(env) },
    { provide: Staging, inject: [ENV], useFactory: (env: Env) => new Staging(join(filesFolder(env), '.incoming')) },
    { provide: IMAGE_SANDBOX, inject: [MemoryBudget], useFactory: createImageSandbox },
    FilesService,
    AttachedFiles,
    DocumentPages,
    DocumentReader,
    LogoIntake,
    FileCopier,
    FileExport,
    FileIntake,
    FileRemoval,
    FileSweep,
    ImageEncoder,
    DataUrlFiles,
    ModelFiles,
    PageDrawer,
    PageExtractor,
    ProjectDocuments,
    FileQuota,
    TextExtractor,
    UploadRateLimit,
  ],
  exports: [
    FilesService,
    AttachedFiles,
    DocumentPages,
    FileCopier,
    FileExport,
    FileRemoval,
    FileSweep,
    DataUrlFiles,
    ModelFiles,
    PageExtractor,
    ProjectDocuments,
    Staging,
  ],
})
export class FilesModule {}
