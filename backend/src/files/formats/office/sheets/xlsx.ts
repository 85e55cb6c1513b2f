import { aroundLines, commentLines, marginTexts, sheetLabel } from './lines.js';
import { drawnTexts } from './sheet-drawing.js';
import { linksOf } from './sheet-links.js';
import { SheetReader } from './sheet-reader.js';
import { commentsOf, type Workbook, workbookOf } from './workbook-parts.js';
import type { OfficePackage } from '../package.js';
import { ExtractionError, type SectionCollector } from '../../sections.js';

/** Reads a workbook of Excel 2007 or later. Its sheets are read as they come, up to the text that is stored. */
export function readXlsx(office: OfficePackage, out: SectionCollector): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const workbook = workbookOf(office, main);
  let failure: ExtractionError | undefined;
  for (const { name, visibility, path } of workbook.sheets) {
    if (out.isFull) return;
    out.begin('sheet', sheetLabel(name, visibility));
    // A broken sheet does not take those after it.
    if (path !== undefined) failure = readSheet(office, path, workbook, out) ?? failure;
  }
  if (failure === undefined) return;
  if (!out.hasText) throw failure;
  out.facts.isDamaged = true;
}

/** @returns the error that ends a broken sheet */
function readSheet(
  office: OfficePackage,
  path: string,
  workbook: Workbook,
  out: SectionCollector,
): ExtractionError | undefined {
  const reader = new SheetReader(workbook, linksOf(office, path), out);
  let failure: ExtractionError | undefined;
  try {
    reader.read(office.bytes(path)!);
  } catch (error) {
    if (!(error instanceof ExtractionError) || error.problem !== 'broken') throw error;
    failure = error;
  }
  if (out.isFull) return failure;
  out.add(commentLines(commentsOf(office, path, workbook.persons)));
  out.add(aroundLines([...marginTexts(reader.margins), ...drawnTexts(office, path)]));
  for (const file of office.embeddedFiles(path)) out.embed(file);
  return failure;
}
