import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { StreamLoad } from '../fleet/stream-load.js';
import type { Scenario } from '../scenario.js';
import { drainFault } from './drain-fault.js';

/** Load after an injection, at the shortest timings, ms; 12 s at production timings. */
const AFTERMATH_MS = 2_000;

const aftermath = ({ pace }: Scenario): Promise<void> => sleep(AFTERMATH_MS * pace.stretch);

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Number of nodes that ran one of the interrupted answers of a scenario. */
async function interruptedNodes({ harness, sends }: Scenario): Promise<number> {
  const [row] = await harness.database.query<{ count: number }>(
    `select count(distinct node_id)::int as count from generation
     where status = 'interrupted' and client_message_id = any($1)`,
    [sends.map(({ clientMessageId }) => clientMessageId)],
  );
  return row!.count;
}

/** Kills a node, which a supervisor starts again after the aftermath. */
async function killNode(scenario: Scenario): Promise<void> {
  const node = scenario.random.pick(scenario.harness.nodes);
  await node.kill();
  await aftermath(scenario);
  await node.start();
}

async function killRedisPrimary(scenario: Scenario, load: StreamLoad): Promise<void> {
  const { redis } = scenario.harness.fleet!;
  const primary = scenario.random.pick(await redis.primaries());
  const began = performance.now();
  await primary.kill();
  await redis.failedOver(primary);
  load.note(`replica promoted after ${seconds(began)}`);
  await aftermath(scenario);
}

async function failPostgresOver(scenario: Scenario, load: StreamLoad): Promise<void> {
  const began = performance.now();
  await scenario.harness.fleet!.failPostgresOver();
  load.note(`standby promoted after ${seconds(began)}`);
  await aftermath(scenario);
}

async function replaceNodes(scenario: Scenario, load: StreamLoad): Promise<void> {
  const began = performance.now();
  for (const node of scenario.harness.nodes) {
    await node.stop();
    await node.start();
    await scenario.moment(0, 300);
  }
  load.note(`replaced within ${seconds(began)}`);
}

/** Starts the load and begins the measurement at a random moment. */
async function observed(scenario: Scenario): Promise<StreamLoad> {
  const load = await StreamLoad.start(scenario);
  await scenario.moment(0, 400);
  load.observe();
  return load;
}

const nodeKill: Fault = {
  id: 'F40n',
  description: 'kill -9 of a node of the fleet, which a supervisor starts again',
  on: ['fleet'],
  run: async (scenario) => {
    const load = await observed(scenario);
    await killNode(scenario);
    await load.finish('complete', 'interrupted');
    scenario.expect((await interruptedNodes(scenario)) <= 1, 'an answer of another node was interrupted');
  },
};

const redisFailover: Fault = {
  id: 'F6n',
  description: 'kill -9 of a primary of the Redis Cluster; its replica takes over',
  on: ['fleet'],
  run: async (scenario) => {
    const load = await observed(scenario);
    await killRedisPrimary(scenario, load);
    await load.finish('complete');
  },
};

const postgresFailover: Fault = {
  id: 'F3n',
  description: 'kill -9 of the Postgres primary; its synchronous standby is promoted',
  on: ['fleet'],
  run: async (scenario) => {
    const load = await observed(scenario);
    await failPostgresOver(scenario, load);
    // A send whose commit was in doubt may end as interrupted.
    await load.finish('complete', 'interrupted');
  },
};

const rolling: Fault = {
  id: 'F42n',
  description: 'SIGTERM and replacement of every node of the fleet, one after another',
  on: ['fleet'],
  run: async (scenario) => {
    const load = await observed(scenario);
    await replaceNodes(scenario, load);
    await load.finish('complete', 'interrupted');
  },
};

const allInTurn: Fault = {
  id: 'F48n',
  description: 'the four kinds above in turn, amid one load',
  on: ['fleet'],
  run: async (scenario) => {
    const load = await observed(scenario);
    await killNode(scenario);
    await killRedisPrimary(scenario, load);
    await failPostgresOver(scenario, load);
    await replaceNodes(scenario, load);
    await load.finish('complete', 'interrupted');
  },
};

/** Kinds that need a fleet, and the shutdown of one process with many streams. */
export const fleetFaults: Fault[] = [nodeKill, redisFailover, postgresFailover, rolling, allInTurn, drainFault];
