import type { Translation } from '../catalogue';
import type spec from '../spec/admin';

export default {
  models: { empty: 'No models found. Add your first model.' },
} as const satisfies Translation<typeof spec>;
