import type { ToolInfo } from '@tanya/contract';

export interface ToolGroup {
  /** null for the built-in tools. */
  server: ToolInfo['server'];
  tools: ToolInfo[];
}

/** The tools by server: the built-in ones first, then the servers in the order of the list. */
export function groupByServer(tools: readonly ToolInfo[]): ToolGroup[] {
  const groups = new Map<number | null, ToolGroup>();
  for (const tool of tools) {
    const id = tool.server?.id ?? null;
    const group = groups.get(id);
    if (group) group.tools.push(tool);
    else groups.set(id, { server: tool.server, tools: [tool] });
  }
  const builtIn = groups.get(null);
  groups.delete(null);
  return [...(builtIn ? [builtIn] : []), ...groups.values()];
}
