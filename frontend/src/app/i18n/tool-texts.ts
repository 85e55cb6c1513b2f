import { BUILT_IN_TOOLS, type BuiltInTool, type ToolInfo } from '@tanya/contract';
import { t } from './translate';

export const isBuiltIn = (name: string): name is BuiltInTool => (BUILT_IN_TOOLS as readonly string[]).includes(name);

/** Name and purpose of a tool. Those of other servers are shown as the server names them. */
export function toolTexts({ name, title, description, server }: ToolInfo): { title: string; hint: string } {
  if (server !== null || !isBuiltIn(name)) return { title, hint: description };
  return { title: t(`tools.${name}`), hint: t(`tools.${name}_hint`) };
}
