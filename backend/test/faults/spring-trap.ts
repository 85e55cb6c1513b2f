import { setTimeout as sleep } from 'node:timers/promises';
import { boundOf } from './pace.js';
import type { Scenario } from './scenario.js';
import type { Trap } from './server-node.js';

/** A trap that has not sprung after this time is a fault of the scenario, ms. */
const TIMEOUT_MS = 10_000;

/** Sets a trap on every node, runs `work`, and waits until the trap of one node has sprung. */
export async function springTrap<T>(scenario: Scenario, trap: Trap, work: () => Promise<T>): Promise<T> {
  const { nodes } = scenario.harness;
  const traps: { sprung: Promise<number> }[] = [];
  for (const node of nodes) traps.push(await node.setTrap(trap));
  const result = await work();
  const sprung = Promise.race(traps.map((each) => each.sprung)).then(() => true);
  scenario.expect(await Promise.race([sprung, sleep(boundOf(TIMEOUT_MS), false)]), 'the trap did not spring');
  for (const node of nodes) await node.removeTrap();
  return result;
}
