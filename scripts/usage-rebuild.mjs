import './require-node.mjs';
import { prepareOrExit, root } from './build-steps.mjs';

/** `npm run usage:rebuild` computes the daily usage rollup again from the ledger, also while the server runs. */
process.chdir(root);
await prepareOrExit(['packages', 'server']);

const { built, exitOutsideContainers, openInstallation, withClient } = await import('./dump/installation.mjs');
const { LOCK_ROLLUP, REBUILD } = await built('quota/usage/rollup-sql.js');

await exitOutsideContainers('usage-rebuild');
const installation = await openInstallation();
try {
  await withClient(installation.url, async (client) => {
    await client.query('begin transaction isolation level repeatable read');
    await client.query(LOCK_ROLLUP);
    let rows = 0;
    for (const statement of REBUILD) rows = (await client.query(statement)).rowCount;
    await client.query('commit');
    console.log(`The rollup has ${rows} rows.`);
  });
} finally {
  await installation.close();
}
