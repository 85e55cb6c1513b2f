import { topic } from '../platform/bus/bus.js';

export const toolServersChanged = topic<null>('tool-servers:changed');
