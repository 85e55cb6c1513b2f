import { Inject, Injectable } from '@nestjs/common';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Asker, userOwner } from '../../identity/identity.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { ProjectFilesService } from '../project-files.service.js';
import { ProjectsService } from '../projects.service.js';
import { DEMO_DOCUMENTS } from './demo-documents.js';

const NAME = 'Demo project';

const INSTRUCTIONS = 'Answer from the files of this project, in the language of the question, and cite them.';

/** Gives the first admin of an installation without a provider a project, so that there is one to ask about. */
@Injectable()
export class DemoProject {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: ProviderRegistry,
    private readonly projects: ProjectsService,
    private readonly files: ProjectFilesService,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onFirstAdmin((userId) => this.createFor(userId));
  }

  /** Never rejects: the installation works without it. */
  private async createFor(userId: number): Promise<void> {
    if (!this.providers.demo) return;
    const owner = userOwner(userId);
    const asker: Asker = {
      owner,
      userId,
      isAdmin: true,
      isPremium: false,
      groupIds: [],
      quotaOverride: null,
      address: 'start',
    };
    try {
      const { id } = await this.projects.create(asker, { name: NAME, instructions: INSTRUCTIONS });
      for (const { name, text } of DEMO_DOCUMENTS) await this.files.addText(asker, id, name, text);
    } catch (error) {
      this.logger.warn({ err: error }, 'demo project not created; the installation starts without it');
    }
  }
}
