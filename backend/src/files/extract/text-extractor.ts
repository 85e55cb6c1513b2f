import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import type { ExtractionResult } from '../formats/sections.js';
import type { DocumentFormat } from '../inspection/file-kind.js';
import { type ReaderFailure, SandboxedReader } from './sandboxed-reader.js';

const TIMEOUT_MS = 30_000;

/** Resident memory of one process. */
export const DOCUMENT_MEGABYTES = 704;

export interface ExtractionTask {
  path: string;
  format: DocumentFormat;
  /** The ending of the file's name, in lower case; '' for none. */
  extension: string;
}

export type Extraction = ExtractionResult | ReaderFailure;

@Injectable()
export class TextExtractor extends SandboxedReader<ExtractionTask, ExtractionResult> {
  constructor(@Inject(LOGGER) logger: Logger, budget: MemoryBudget) {
    super({
      worker: new URL('./document.worker.js', import.meta.url),
      timeoutMs: TIMEOUT_MS,
      megabytes: DOCUMENT_MEGABYTES,
      budget,
      accessOf: ({ path }) => ({ reads: [path] }),
      logger,
      crashed: 'document process crashed; storing no text',
      fieldsOf: ({ format }) => ({ format }),
    });
  }
}
