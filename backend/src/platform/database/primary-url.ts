import { pino } from 'pino';
import { postgresUrls } from '../../config/postgres-url.js';
import { tryPostgres } from './data-source.js';
import { PrimaryWatch } from './primary-watch.js';

/** URL of the primary of DATABASE_URL, for a program that runs for a short time. @throws Error without a primary */
export async function primaryUrl(url: string): Promise<string> {
  if (postgresUrls(url).length === 1) {
    await tryPostgres(url);
    return url;
  }
  const watch = new PrimaryWatch(url, pino({ level: 'silent' }));
  try {
    return await watch.find();
  } finally {
    watch.stop();
  }
}
