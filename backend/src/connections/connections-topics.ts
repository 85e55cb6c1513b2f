import { topic } from '../platform/bus/bus.js';

export const connectionsChanged = topic<null>('connections:changed');
