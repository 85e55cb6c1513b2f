import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractionTask } from './extraction.js';
import { readDocument } from './read-document.js';

// Nothing in a document is worth a request; libraries that would make one find no way to.
Reflect.deleteProperty(globalThis, 'fetch');

const { path, format } = workerData as ExtractionTask;
parentPort!.postMessage(await readDocument(await readFile(path), format));
