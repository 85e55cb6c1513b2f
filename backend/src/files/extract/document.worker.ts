import { readFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import type { ExtractionTask } from './extraction.js';
import { readDocument } from './read-document.js';

// Reading a document needs no network: the parsers find no `fetch`.
Reflect.deleteProperty(globalThis, 'fetch');

serveTasks(async ({ path, format }: ExtractionTask) => readDocument(await readFile(path), format));
