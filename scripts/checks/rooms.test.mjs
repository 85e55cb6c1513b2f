import { crowdedRooms, unexplainedRooms } from './rooms.mjs';

const files = (count, nameOf) => Array.from({ length: count }, (_, index) => nameOf(index));

describe('crowdedRooms', () => {
  it('accepts a folder with 20 source files', () => {
    expect(crowdedRooms(files(20, (index) => `backend/src/quota/part-${index}.ts`))).toEqual([]);
  });

  it.each(['backend/src/quota', 'frontend/src/features/chat', 'contract/src', 'backend/test/harness'])(
    'reports the name and count of %s with 21 source files',
    (folder) => {
      expect(crowdedRooms(files(21, (index) => `${folder}/part-${index}.ts`))).toEqual([[folder, 21]]);
    },
  );

  it('counts a subfolder apart', () => {
    const paths = [
      ...files(15, (index) => `backend/src/quota/part-${index}.ts`),
      ...files(15, (index) => `backend/src/quota/ledger/part-${index}.ts`),
    ];
    expect(crowdedRooms(paths)).toEqual([]);
  });

  it.each(['quota/%.test.ts', 'quota/%.gen.ts', 'platform/database/migrations/%.ts', 'quota/%.sql'])(
    'does not count %s',
    (name) => {
      expect(crowdedRooms(files(21, (index) => `backend/src/${name.replace('%', `part-${index}`)}`))).toEqual([]);
    },
  );

  it('does not count files outside the source folders', () => {
    expect(crowdedRooms(files(30, (index) => `bench/part-${index}.mjs`))).toEqual([]);
  });
});

describe('unexplainedRooms', () => {
  const map = [
    '# Architecture',
    '## Server: `backend/src`',
    '```',
    'main.ts       the start; not/a-folder.ts',
    'quota/        how many messages',
    'providers/    services. upstream/: over HTTP,',
    '              upstream/sse/; no path such as /api/v1',
    'chat/',
    '  messages/   rows',
    '```',
    '## Direction of imports',
    '```',
    'bench/        has no tree',
    '```',
  ];
  const house = {
    'ARCHITECTURE.md': map.join('\n'),
    'backend/src/main.ts': '',
    'backend/src/app.module.ts': '/** The root. */\n',
    'backend/src/quota/quota.module.ts':
      '/**\n * Not here: `models`.\n * - `usage`: the rollup\n * - `usage/csv`: as a file\n */\n',
    'backend/src/quota/usage/rollup.ts': '',
    'backend/src/quota/usage/csv/csv.ts': '',
    'backend/src/providers/upstream/http.ts': '',
    'backend/src/providers/upstream/sse/sse.ts': '',
    'backend/src/chat/messages/message.ts': '',
    'contract/src/index.ts': '',
  };
  const check = (changes = {}) => {
    const files = Object.fromEntries(Object.entries({ ...house, ...changes }).filter(([, text]) => text !== null));
    return unexplainedRooms(Object.keys(files), (path) => files[path]);
  };
  const withLine = (line) => ({ 'ARCHITECTURE.md': map.toSpliced(4, 0, line).join('\n') });

  it('accepts folders that the trees and the heads of modules name', () => {
    expect(check()).toEqual({ missing: [], unknown: [], silent: [] });
  });

  it.each(['backend/src/elsewhere', 'backend/src/chat/threads', 'backend/src/providers/demo'])(
    'reports that the trees do not name %s',
    (folder) => {
      expect(check({ [`${folder}/a.ts`]: '' }).missing).toEqual([[folder, 'ARCHITECTURE.md']]);
    },
  );

  it('reports a folder that the head of its module does not name, even if a tree does', () => {
    const changes = { 'backend/src/quota/budgets/terms.ts': '', ...withLine('  budgets/    terms') };
    expect(check(changes).missing).toEqual([['backend/src/quota/budgets', 'backend/src/quota/quota.module.ts']]);
  });

  it('asks the trees for a room that has a module', () => {
    const changes = { 'backend/src/files/files.module.ts': '/** Files of owners. */\n' };
    expect(check(changes).missing).toEqual([['backend/src/files', 'ARCHITECTURE.md']]);
  });

  it('takes a name with a star for all folders that begin so', () => {
    const changes = { 'backend/src/chat/admin-models/a.ts': '', 'backend/src/chat/admin-users/a.ts': '' };
    expect(check({ ...changes, ...withLine('chat/         rows. admin-*/: pages') })).toEqual({
      missing: [],
      unknown: [],
      silent: [],
    });
    expect(check(withLine('chat/         rows. admin-*/: pages')).unknown).toEqual([
      ['backend/src/chat/admin-*', 'ARCHITECTURE.md'],
    ]);
  });

  it.each([
    ['its line', 'redis/        a server'],
    ['the text of a line', 'quota/        how many. redis/: a server'],
  ])('reports a folder that a tree still names in %s', (_, line) => {
    const name = line.startsWith('redis') ? 'redis' : 'quota/redis';
    expect(check(withLine(line)).unknown).toEqual([[`backend/src/${name}`, 'ARCHITECTURE.md']]);
  });

  it('reports a folder that the head of a module still names', () => {
    expect(check({ 'backend/src/quota/usage/csv/csv.ts': null }).unknown).toEqual([
      ['backend/src/quota/usage/csv', 'backend/src/quota/quota.module.ts'],
    ]);
  });

  it('reports a module that does not start with a comment', () => {
    const path = 'backend/src/chat/messages/messages.module.ts';
    expect(check({ [path]: "import { Module } from '@nestjs/common';\n/** Rows. */\n" }).silent).toEqual([path]);
  });
});
