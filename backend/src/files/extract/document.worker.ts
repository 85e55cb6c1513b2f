import { readFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { readDocument } from '../formats/read-document.js';
import type { ExtractionTask } from './text-extractor.js';

serveTasks(async ({ path, format, extension }: ExtractionTask) =>
  readDocument(await readFile(path), format, extension),
);
