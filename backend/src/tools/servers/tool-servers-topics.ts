import { topic } from '../../platform/bus/bus.js';

/** MCP servers or their tools changed; nodes reload them. */
export const toolServersChanged = topic<null>('tool-servers:changed');
