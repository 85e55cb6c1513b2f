import { readFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import type { ExtractionTask } from './extraction.js';
import { readDocument } from './read-document.js';

serveTasks(async ({ path, format }: ExtractionTask) => readDocument(await readFile(path), format));
