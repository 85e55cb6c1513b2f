import { topic } from '../platform/bus/bus.js';

export const settingsChanged = topic<null>('settings:changed');
