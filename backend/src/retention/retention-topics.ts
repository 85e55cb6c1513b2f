import { topic } from '../platform/bus/bus.js';

export const retentionChanged = topic<null>('retention:changed');
