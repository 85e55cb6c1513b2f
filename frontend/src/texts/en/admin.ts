import type { Translation } from '../catalogue';
import type spec from '../spec/admin';

export default {} as const satisfies Translation<typeof spec>;
