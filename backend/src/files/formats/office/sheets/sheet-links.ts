import { columnOf } from './references.js';
import { addressBehind } from '../../text/links.js';
import type { OfficePackage } from '../package.js';

/** Where cells lead, by their row and column. */
export type SheetLinks = ReadonlyMap<string, string>;

/** A link of a sheet, which stands behind all of its cells. */
const LINK = /<(?:\w+:)?hyperlink\s[^<>]*>/g;
const CELL = /\sref\s*=\s*["']([A-Z]{1,3})(\d{1,7})/;
const ID = /\s\w+:id\s*=\s*["']([^"']+)/;

const CELLS_END = 'sheetData>';

/** A formula of a link: `HYPERLINK("https://example.com","Plan")`. */
const FORMULA = /^HYPERLINK\(\s*"([^"]+)"/i;

export const cellKey = (row: number, column: number): string => `${row} ${column}`;

/** The links of a sheet to addresses. @param path of its part */
export function linksOf(office: OfficePackage, path: string): SheetLinks {
  const links = new Map<string, string>();
  const bytes = Buffer.from(office.bytes(path) ?? []);
  const end = bytes.lastIndexOf(CELLS_END);
  if (end < 0) return links;
  for (const [link] of bytes.toString('latin1', end).matchAll(LINK)) {
    const [, column = '', row = ''] = CELL.exec(link) ?? [];
    const address = office.address(path, ID.exec(link)?.[1]);
    const at = columnOf(column + row);
    if (address !== undefined && at !== null) links.set(cellKey(Number(row), at), address);
  }
  return links;
}

/** The text of a cell with the address behind it. */
export function withLink(text: string, linked: string | undefined, formula: string): string {
  const address = linked ?? (formula === '' ? undefined : FORMULA.exec(formula)?.[1]);
  return address === undefined ? text : text + addressBehind(text, address);
}
