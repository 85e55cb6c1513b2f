import { parentPort, workerData } from 'node:worker_threads';
import type { PageTask } from './page-task.js';
import { readPage } from './read-page.js';

// Reading a page needs no network: the parsers find no `fetch`.
Reflect.deleteProperty(globalThis, 'fetch');

parentPort!.postMessage(await readPage(workerData as PageTask));
