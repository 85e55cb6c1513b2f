import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { ExtractionResult, ExtractionTask } from './extraction.js';
import { type ReaderFailure, SandboxedReader } from './sandboxed-reader.js';

const TIMEOUT_MS = 30_000;

export type Extraction = ExtractionResult | ReaderFailure;

/** Extracts the text of documents in a sandbox. */
@Injectable()
export class TextExtractor extends SandboxedReader<ExtractionTask, ExtractionResult> {
  constructor(@Inject(LOGGER) logger: Logger) {
    super({
      worker: new URL('./document.worker.js', import.meta.url),
      timeoutMs: TIMEOUT_MS,
      logger,
      crashed: 'document process crashed; storing no text',
      fieldsOf: ({ format }) => ({ format }),
    });
  }
}
