import type { Thread } from '@tanya/contract';
import { pdfOf } from '../../files/scanned-pdf.js';
import { HttpClient } from '../../harness/http-client.js';
import type { Fault } from '../fault.js';
import { SharedFiles, textOf } from '../shared-files.js';
import type { Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';
import { DIES, restart } from './keeping-faults.js';

/** Files of one crowd; 2,000 with `TANYA_FAULTS_FILES=2000`. */
const FILES = Number(process.env.TANYA_FAULTS_FILES ?? 60);

/** Uploads at once. */
const AT_ONCE = 20;

/** Files of a crowd for each kill. */
const FILES_A_KILL = 100;

/** Phases of an upload and of the reading that follows, by the statements of each. */
const PHASES: Readonly<Record<string, [phase: string, sql: string]>> = {
  F60: ['an upload is stored', 'INSERT INTO "project_file"'],
  F60f: ['the reading of a file begins', 'update project_file set attempts'],
  F60h: [
    'the chunks of a file are stored',
    'from project_file where file_id = .* for update|insert into project_chunk',
  ],
  F60i: ['the end of a reading is stored', 'update project_file set state'],
};

const killedInPhases: Fault[] = Object.entries(PHASES).map(([id, [phase, sql]]) => ({
  id,
  description: `kill -9 of a node while ${phase}`,
  on: ['many', 'one'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(sql.split('|')) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await springTrap(scenario, trap, () => files.upload(textOf('zebra'), 'fees.txt').catch(() => undefined));
    await restart(scenario);
    await files.add(textOf('zebra'), 'fees.txt');
    await files.expectReady(1);
    await files.expectFound('zebra', 'fees.txt');
  },
}));

const killedWhileRead: Fault = {
  id: 'F60g',
  description: 'kill -9 of every node while a child reads a PDF',
  on: ['many', 'one'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const pages = Array.from({ length: 60 }, (_, at) => ({ text: `The fee of berth ${at} is word${at}x.` }));
    await files.add(pdfOf(pages), 'berths.pdf');
    await scenario.moment(0, 500);
    await Promise.all(scenario.harness.nodes.map((node) => node.kill()));
    await restart(scenario);
    await files.expectReady(1);
    await files.expectFound(`word${scenario.random.between(0, 59)}x`, 'berths.pdf');
  },
};

const killedInDeletion: Fault = {
  id: 'F60j',
  description: 'kill -9 of a node while a file is deleted',
  on: ['many', 'one'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    await files.add(textOf('zebra'), 'fees.txt');
    await files.add(textOf('tiger'), 'more.txt');
    await files.expectReady(2);
    const fees = (await files.list()).find(({ name }) => name === 'fees.txt')!;
    const trap: Trap = { action: scenario.random.pick(DIES), sql: 'delete from file where id' };
    scenario.notes.push(trap.action);
    const remove = () => files.owner.browser.send('DELETE', `${files.path}/files/${fees.id}`).catch(() => null);
    await springTrap(scenario, trap, remove);
    await restart(scenario);
    const isGone = async () => [200, 404].includes((await remove())?.status ?? 0);
    await scenario.until(isGone, 'the deletion of a file');
    await files.expectReady(1);
    await files.expectFound('tiger', 'more.txt');
  },
};

const crowdOfFiles: Fault = {
  id: 'F60a',
  description: 'many files are added at once, and nodes are killed while they are read',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { nodes } = scenario.harness;
    const kill = async () => {
      await scenario.moment(100, 1_500);
      const node = scenario.random.pick(nodes);
      await node.kill();
      await node.start();
    };
    const killed = (async () => {
      for (let kills = 0; kills < Math.max(1, FILES / FILES_A_KILL); kills += 1) await kill();
    })();
    for (let first = 0; first < FILES; first += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, FILES - first) }, (_, at) => first + at);
      await Promise.all(some.map((at) => files.add(textOf(`word${at}x`), `file ${at}.txt`)));
    }
    await killed;
    await files.expectReady(FILES);
    const one = scenario.random.between(0, FILES - 1);
    await files.expectFound(`word${one}x`, `file ${one}.txt`);
  },
};

const deletedWhileRead: Fault = {
  id: 'F60b',
  description: 'a file is deleted while it is read',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { body: read } = await files.upload(textOf('zebra').repeat(20), 'long.txt');
    await scenario.moment(0, 300);
    const answer = await scenario.call(files.owner.browser, 'DELETE', `${files.path}/files/${read.id}`);
    scenario.expect(answer.status < 300, `the deletion got ${answer.status}`);
    // The name and the contents are free again.
    await files.add(textOf('zebra').repeat(20), 'long.txt');
    await files.expectReady(1);
    await files.expectFound('zebra', 'long.txt');
  },
};

const deletedWhileCited: Fault = {
  id: 'F60k',
  description: 'a file is deleted while an answer cites it',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { owner, path } = files;
    const { body: cited } = await files.upload('A berth costs five euros.', 'fees.txt');
    await files.expectReady(1);
    const steps = [{ text: 'It costs five ' }, { text: 'euros [1], ' }, { text: 'and not [2] six.' }];
    const script = { pace: 80, steps: [...steps, { finish: 'stop' as const }, { done: true as const }] };
    const send = await scenario.taken({ user: owner, projectId: files.id, script, expected: null });
    await scenario.moment(0, 250);
    await scenario.call(owner.browser, 'DELETE', `${path}/files/${cited.id}`);
    const message = await scenario.end(send, 'complete');
    const sources = (message?.parts ?? []).filter((part) => part.type === 'source');
    // An answer whose prompt came after the deletion was given no passages, so that its numbers are no citations.
    const isGiven = JSON.stringify(scenario.harness.callsFor(send.text)[0]?.body).includes('A berth costs');
    scenario.expect(sources.length === (isGiven ? 1 : 0), `the answer has ${sources.length} sources`);
    const isKept = (message?.content ?? '').includes('[2]');
    scenario.expect(isKept !== isGiven, `a number that nobody gave is ${isKept ? '' : 'not '}in the answer`);
    const gone = await scenario.call(owner.browser, 'GET', `${path}/files/${cited.id}`);
    scenario.expect(gone.status === 404, `the deleted file got ${gone.status}`);
  },
};

const memberRemoved: Fault = {
  id: 'F60c',
  description: 'a member is removed from a project in mid-answer',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { owner, path } = files;
    const member = await scenario.harness.newMember();
    await member.signIn();
    const setMembers = (members: object[]) => scenario.call(owner.browser, 'PUT', `${path}/members`, { members });
    await setMembers([{ userId: member.id, role: 'viewer' }]);
    const send = await scenario.shown({ user: member, projectId: files.id });
    await scenario.moment(0, 200);
    await setMembers([]);
    await scenario.end(send, 'complete');
    const found = await scenario.call(member.browser, 'GET', `/api/chat/threads/${send.started?.threadId}`);
    scenario.expect((found.body as Thread).projectId === null, 'the thread is still in the project');
    const foreign = await scenario.call(member.browser, 'GET', path);
    scenario.expect(foreign.status === 404, `the project got ${foreign.status}`);
    const next = await scenario.taken({ user: member, threadId: send.started?.threadId ?? null });
    await scenario.end(next, 'complete');
  },
};

const sameFileTwice: Fault = {
  id: 'F60d',
  description: 'one file is added on both nodes at once',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { address, browser } = files.owner;
    const uploads = scenario.harness.nodes.map(({ url }, at) =>
      files.upload(textOf('zebra'), `copy ${at}.txt`, new HttpClient(url, address, browser.cookies)),
    );
    const statuses = (await Promise.all(uploads)).map(({ status }) => status).toSorted((a, b) => a - b);
    scenario.expect(statuses.join() === '201,409', `the uploads got ${statuses.join()}`);
    await files.expectReady(1);
  },
};

export const projectFaults: Fault[] = [
  ...killedInPhases,
  killedWhileRead,
  killedInDeletion,
  crowdOfFiles,
  deletedWhileRead,
  deletedWhileCited,
  memberRemoved,
  sameFileTwice,
];
