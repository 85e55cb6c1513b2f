import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';

/** Without it Excel reads the file in the code page of its country. */
const BYTE_ORDER_MARK = '\ufeff';

export const csvHead = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLines([columns]);

/** Lines of a CSV file. An apostrophe precedes cells that a spreadsheet would read as a formula. */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify(rows as unknown[][], { escape_formulas: true, record_delimiter: 'windows' });

/** Sends lines while they are made. Their status is sent first: a failure can only cut the file off. */
export async function sendCsv(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  response.type('text/csv').attachment(name);
  await pipeline(Readable.from(lines), response).catch(() => response.destroy());
}
