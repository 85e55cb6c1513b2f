import { topic } from '../platform/bus/bus.js';

export const modelsChanged = topic<null>('models:changed');
