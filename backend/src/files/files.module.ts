import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENV, type Env } from '../config/env.js';
import { TextExtractor } from './extract/text-extractor.js';
import { FileEntity } from './file.entity.js';
import { FILE_STORE, filesFolder, openFileStore } from './file-store.js';
import { FileSweep } from './file-sweep.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';
import { Staging } from './staging.js';

@Module({
  imports: [TypeOrmModule.forFeature([FileEntity])],
  controllers: [FilesController],
  providers: [
    { provide: FILE_STORE, inject: [ENV], useFactory: (env: Env) => openFileStore(env) },
    { provide: Staging, inject: [ENV], useFactory: (env: Env) => new Staging(join(filesFolder(env), '.incoming')) },
    FilesService,
    FileSweep,
    TextExtractor,
  ],
  exports: [FilesService],
})
export class FilesModule {}
