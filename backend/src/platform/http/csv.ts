import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';
import { dayOf } from './day-param.js';

/** Without it Excel reads the file in the code page of its country. */
const BYTE_ORDER_MARK = '\ufeff';

export const csvHead = (columns: readonly string[]): string => BYTE_ORDER_MARK + csvLines([columns]);

/** What Excel takes for the beginning of a cell where the separator of lists is a semicolon: it then heeds no quotes here. */
const LATER_FORMULA = /(?<=[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Lines of a CSV file. An apostrophe precedes what a spreadsheet would read as a formula. */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify(rows as unknown[][], {
    cast: { string: (text) => text.replace(LATER_FORMULA, "'") },
    escape_formulas: true,
    record_delimiter: 'windows',
    // Off by default beside another option: the second line of a name would be a row.
    quote_record_delimiter: true,
  });

/** Sends lines while they are made. Their status is sent first: a failure can only cut the file off. */
export async function sendCsv(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  response.type('text/csv').attachment(name);
  await pipeline(Readable.from(lines), response).catch(() => response.destroy());
}

/** The same under a name with the day. */
export const sendCsvOfToday = (response: Response, name: string, lines: AsyncIterable<string>): Promise<void> =>
  sendCsv(response, `${name}-${dayOf(Date.now())}.csv`, lines);
