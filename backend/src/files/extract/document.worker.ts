import { readFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { readDocument } from '../formats/read-document.js';
import type { ExtractionResult } from '../formats/sections.js';
import type { ExtractionTask } from './text-extractor.js';

serveTasks<ExtractionTask, ExtractionResult>(async ({ path, format, extension }, keep) =>
  readDocument(await readFile(path), format, extension, keep),
);
