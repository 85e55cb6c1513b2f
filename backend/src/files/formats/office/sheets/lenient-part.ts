import { ExtractionError } from '../../sections.js';
import { readXmlBytes, type XmlHandler } from '../../xml.js';

/** Reads a part up to its first error: a broken list keeps its beginning. */
export function readLenient(part: Uint8Array, handler: XmlHandler): void {
  try {
    readXmlBytes(part, handler);
  } catch (error) {
    if (!(error instanceof ExtractionError) || error.problem !== 'broken') throw error;
  }
}
