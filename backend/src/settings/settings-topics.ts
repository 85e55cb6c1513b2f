import { topic } from '../platform/bus/bus.js';

/** A setting was saved; nodes reload their cache. */
export const settingsChanged = topic<null>('settings:changed');
