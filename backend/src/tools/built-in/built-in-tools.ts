import { type BuiltInTool, PLANS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { may } from '../../access/may.js';
import { type Asker, planNameOf } from '../../identity/identity.js';
import { ModelsService } from '../../models/models.service.js';
import { SettingsService } from '../../settings/settings.service.js';
import type { Tool } from '../tool.js';
import { type ToolProvider, ToolRegistry } from '../tool-registry.js';
import { Calculator } from './calculator.js';
import { createImage } from './create-image.js';
import { currentTime } from './current-time.js';
import { ReadPageTool } from './read-page.js';
import { WebSearchTool } from './web-search.js';

/** The tools of the server itself. Admins switch each on per plan. */
@Injectable()
export class BuiltInTools implements ToolProvider {
  constructor(
    private readonly settings: SettingsService,
    private readonly models: ModelsService,
    private readonly webSearch: WebSearchTool,
    private readonly readPage: ReadPageTool,
    private readonly calculator: Calculator,
    registry: ToolRegistry,
  ) {
    registry.register(this);
  }

  async list(asker: Asker): Promise<Tool[]> {
    const plan = planNameOf(asker);
    const { builtInTools } = this.settings.get();
    return this.available(asker).filter(({ name }) => (builtInTools[name as BuiltInTool] ?? PLANS).includes(plan));
  }

  /** A tool without its service is absent. */
  private available(asker: Asker): Tool[] {
    const webSearch = this.webSearch.offered;
    return [
      ...(webSearch === null ? [] : [webSearch]),
      this.readPage.tool,
      currentTime,
      this.calculator.tool,
      ...(this.canDraw(asker) ? [createImage] : []),
    ];
  }

  private canDraw(asker: Asker): boolean {
    const modelId = this.models.imageModelFor(asker);
    const model = modelId === null ? null : this.models.find(modelId);
    return model !== null && may(asker, { model });
  }
}
