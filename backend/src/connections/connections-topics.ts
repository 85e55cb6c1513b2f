import { topic } from '../platform/bus/bus.js';

/** A connection was changed; nodes reload their connections. */
export const connectionsChanged = topic<null>('connections:changed');
