import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { readPage } from './read-page.js';

// Reading a page needs no network: the parsers find no `fetch`.
Reflect.deleteProperty(globalThis, 'fetch');

serveTasks(readPage);
