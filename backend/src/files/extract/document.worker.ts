import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExtractionTask } from './extraction.js';
import { readDocument } from './read-document.js';

// Reading a document needs no network: the parsers find no `fetch`.
Reflect.deleteProperty(globalThis, 'fetch');

const { path, format } = workerData as ExtractionTask;
parentPort!.postMessage(await readDocument(await readFile(path), format));
