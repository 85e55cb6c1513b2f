import { rm } from 'node:fs/promises';
import { Product, type PreparedData } from './product.js';

const VARIABLE = 'TANYA_E2E_PREPARED_DATA';

/** Global setup of Playwright: one first start of the product, whose data all servers of the run begin with. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const prepared = await Product.prepare();
  process.env[VARIABLE] = JSON.stringify(prepared);
  return () => rm(prepared.folder, { recursive: true, force: true });
}

/** The prepared data, in a worker. */
export function preparedData(): PreparedData {
  return JSON.parse(process.env[VARIABLE] ?? '') as PreparedData;
}
