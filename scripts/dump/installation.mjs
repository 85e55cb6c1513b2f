import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { root } from '../build-steps.mjs';

/** Imports a module of the built backend. */
export function built(path) {
  return import(pathToFileURL(join(root, 'backend/dist', path)).href);
}

/**
 * Ends a command that was meant for the deployment of docker-compose.yml but runs outside its containers: it would open
 * the embedded Postgres, which may hold other data.
 */
export async function exitOutsideContainers(script) {
  const { processEnv } = await built('config/env.js');
  const { POSTGRES_PASSWORD, DATABASE_URL } = processEnv();
  if (!POSTGRES_PASSWORD?.trim() || DATABASE_URL?.trim()) return;
  console.error(
    'POSTGRES_PASSWORD is set without DATABASE_URL, as docker-compose.yml needs it; its Postgres is not reachable from here.\n' +
      `Run "docker compose run --rm app node scripts/${script}.mjs", or set DATABASE_URL. docs/operations.md describes both.`,
  );
  process.exit(1);
}

/** Runs `work` with a connection of its own. */
export async function withClient(url, work) {
  const client = new pg.Client(url);
  // The next statement on a broken connection fails by itself; an unhandled event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Opens the database, files and secret of the installation that the environment names, as `npm start` would. A running
 * embedded Postgres is used; otherwise it is started.
 */
export async function openInstallation() {
  const { readEnv, processEnv } = await built('config/env.js');
  const { primaryUrl } = await built('platform/database/primary-url.js');
  const { startEmbeddedPostgres } = await built('platform/database/embedded-postgres.js');
  const { SecretBox, storedSecret } = await built('platform/secrets/secret-box.js');
  const { openFileStore } = await built('files/store/open-file-store.js');
  const env = readEnv(processEnv());
  const postgres = env.databaseUrl === null ? await startEmbeddedPostgres(env.dataDir) : null;
  return {
    url: postgres?.url ?? (await primaryUrl(env.databaseUrl)),
    files: await openFileStore(env),
    secrets: new SecretBox(env.appSecret ?? storedSecret(env.dataDir)),
    close: async () => postgres?.stop(),
  };
}
