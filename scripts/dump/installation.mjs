import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../build-steps.mjs';

/** Imports a module of the built backend. */
export function built(path) {
  return import(pathToFileURL(join(root, 'backend/dist', path)).href);
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
