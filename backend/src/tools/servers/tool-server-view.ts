import type { ServerTool, ToolReview, ToolServer } from '@tanya/contract';
import type { ServerToolEntity } from './server-tool.entity.js';
import type { ToolServerEntity } from './tool-server.entity.js';

export function toToolServer(
  row: ToolServerEntity,
  tools: readonly ServerToolEntity[],
  areHeadersUnreadable: boolean,
): ToolServer {
  const { id, name, url, plans, access, groupIds, headerNames } = row;
  const { leftOut, leftOutTools, lastError, lastErrorAt, lastSuccessAt } = row;
  return {
    id,
    name,
    url,
    plans,
    access,
    groupIds,
    headerNames,
    areHeadersUnreadable,
    tools: tools.map(toServerTool),
    leftOut,
    leftOutTools,
    lastError: lastError === null || lastErrorAt === null ? null : { ...lastError, at: lastErrorAt.toISOString() },
    lastSuccess: lastSuccessAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toServerTool({ name, toolName, policy, accepted, changed }: ServerToolEntity): ServerTool {
  const { title, description } = accepted;
  return { name, title, policy, state: changed === null ? 'active' : 'changed', toolName, description };
}

export const toReview = ({ name, accepted, changed, changedHash }: ServerToolEntity): ToolReview => ({
  name,
  accepted,
  changed: changed === null || changedHash === null ? null : { ...changed, hash: changedHash },
});
