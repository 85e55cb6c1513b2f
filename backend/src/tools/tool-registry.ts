import { Injectable } from '@nestjs/common';
import { type Asker, planNameOf } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { SettingsService } from '../settings/settings.service.js';
import type { Tool } from './tool.js';

/** Tools of one origin, such as the built-in ones or those of MCP servers. */
export interface ToolProvider {
  /** The tools that the asker may use now: switched on for the plan, configured and reachable. */
  list(asker: Asker): Promise<Tool[]>;
  /** Whether the tool exists and access to its server alone keeps the asker from it. */
  isForbidden?(asker: Asker, name: string): boolean;
  /** Calls `listener` on every node after each change of what `list` and `isForbidden` say. */
  onChanged?(listener: () => Promise<void>): void;
}

/** The tools of all origins, as one asker may use them. */
@Injectable()
export class ToolRegistry {
  private readonly providers: ToolProvider[] = [];

  constructor(private readonly settings: SettingsService) {}

  /** Adds an origin of tools. If two origins have a tool with the same name, the one that was added first wins. */
  register(provider: ToolProvider): void {
    this.providers.push(provider);
  }

  /** Calls `listener` on every node after each change of the tools of an origin, as far as it tells. */
  onChanged(listener: () => Promise<void>): void {
    for (const provider of this.providers) provider.onChanged?.(listener);
  }

  maxSteps(asker: Asker): number {
    return this.settings.get().maxSteps[planNameOf(asker)];
  }

  /** The tools that the asker may use, in the order of their origins; none for a plan without steps. */
  async list(asker: Asker): Promise<Tool[]> {
    if (this.maxSteps(asker) === 0) return [];
    const byName = new Map<string, Tool>();
    for (const provider of this.providers) {
      for (const tool of await provider.list(asker)) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    }
    return [...byName.values()];
  }

  /** Whether the tool exists and access to its server alone keeps the asker from it. */
  isForbidden(asker: Asker, name: string): boolean {
    return this.providers.some((provider) => provider.isForbidden?.(asker, name) ?? false);
  }

  /** Those of the named tools that the asker may use, each once, in the order of the names. */
  async usable(asker: Asker, names: readonly string[]): Promise<Tool[]> {
    if (names.length === 0) return [];
    const usable = new Map((await this.list(asker)).map((tool) => [tool.name, tool]));
    return [...new Set(names)].flatMap((name) => usable.get(name) ?? []);
  }

  /**
   * The named tools, each once, in the order of the names.
   * @throws AppError `tool_not_found` for a name that the asker may not use
   */
  async offered(asker: Asker, names: readonly string[]): Promise<Tool[]> {
    const tools = await this.usable(asker, names);
    if (tools.length < new Set(names).size) throw new AppError('tool_not_found');
    return tools;
  }
}
