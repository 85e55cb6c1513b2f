import { topic } from '../platform/bus/bus.js';

/** The model catalogue was edited; nodes reload their cache. */
export const modelsChanged = topic<null>('models:changed');
