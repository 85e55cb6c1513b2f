/**
 * Exports of everything of an account as an archive: runs, limits, downloads.
 * Not here: how conversations are written as JSON and Markdown (`chat/threads`), imports of the archive (`imports`), the
 * export as one JSON text (`auth`).
 */

import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ThreadsModule } from '../chat/threads/threads.module.js';
import { FilesModule } from '../files/files.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountArchive } from './account-archive.js';
import { ExportStore } from './export-store.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

@Module({
  imports: [AuthModule, FilesModule, ProjectsModule, QuotaModule, ThreadsModule, UsersModule],
  controllers: [ExportsController],
  providers: [AccountArchive, ExportStore, ExportsService],
})
export class ExportsModule {}
