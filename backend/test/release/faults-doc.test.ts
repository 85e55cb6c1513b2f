import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../faults/fault.js';
import { approvalFaults } from '../faults/kinds/approval-faults.js';
import { changeFaults } from '../faults/kinds/change-faults.js';
import { clientFaults } from '../faults/kinds/client-faults.js';
import { dialectFaults } from '../faults/kinds/dialect-faults.js';
import { embeddingFaults } from '../faults/kinds/embedding-faults.js';
import { fleetFaults } from '../faults/kinds/fleet-faults.js';
import { hostileFaults } from '../faults/kinds/hostile-faults.js';
import { keepingFaults } from '../faults/kinds/keeping-faults.js';
import { longChatFaults } from '../faults/kinds/long-chat-faults.js';
import { processFaults } from '../faults/kinds/process-faults.js';
import { projectFaults } from '../faults/kinds/project-faults.js';
import { storageFaults } from '../faults/kinds/storage-faults.js';
import { toolFaults } from '../faults/kinds/tool-faults.js';
import { upstreamFaults } from '../faults/kinds/upstream-faults.js';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const faults = [
  ...upstreamFaults,
  ...clientFaults,
  ...changeFaults,
  ...processFaults,
  ...toolFaults,
  ...approvalFaults,
  ...storageFaults,
  ...keepingFaults,
  ...projectFaults,
  ...embeddingFaults,
  ...longChatFaults,
  ...hostileFaults,
  ...dialectFaults,
];
const document = read('docs/faults.md');
const rows = [...document.matchAll(/^\| ([FB]\d+[a-z]?) \| (.+?) \|/gm)].map(
  ([, id, description]) => `${id}: ${description}`,
);
const lines = (kinds: Fault[]): string[] => kinds.map(({ id, description }) => `${id}: ${description}`).sort();

describe('docs/faults.md', () => {
  it('has one row for each kind of fault, with its description', () => {
    expect(rows.toSorted()).toEqual(lines([...faults, ...fleetFaults]));
  });

  it('describes a quick run of kinds that exist', () => {
    const quick = /QUICK =\s+'([^']+)'/.exec(read('backend/test/faults/main.ts'))![1]!.split(',');
    expect(quick.filter((id) => faults.every((fault) => fault.id !== id))).toEqual([]);
  });
});
