import { crowdedRooms, unnamedRooms } from './rooms.mjs';

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

describe('unnamedRooms', () => {
  const architecture = [
    '# Architecture',
    '## Server: `backend/src`',
    '| folder | content |',
    '| (root) | the start; `elsewhere` is not a name |',
    '| `quota` | how many messages |',
    '### `backend/src/platform`',
    '| `bus`, `redis` | notifications |',
    '## Tests and tools',
    '| `bench` | measurements |',
  ].join('\n');
  const named = ['main.ts', 'quota/ledger.ts', 'platform/bus/bus.ts', 'platform/redis/redis.ts'].map(
    (path) => `backend/src/${path}`,
  );

  it('accepts folders that the tables name', () => {
    expect(unnamedRooms(named, architecture)).toEqual({ missing: [], unknown: [] });
  });

  it('reports a folder that no table names, a subfolder of a named one included', () => {
    const paths = [...named, 'backend/src/quota/usage/sums.ts', 'backend/src/elsewhere/a.ts', 'contract/src/index.ts'];
    expect(unnamedRooms(paths, architecture).missing).toEqual(['backend/src/quota/usage', 'backend/src/elsewhere']);
  });

  it('reports the name of a folder that is gone', () => {
    expect(unnamedRooms(named.slice(0, 3), architecture).unknown).toEqual(['backend/src/platform/redis']);
  });

  it('accepts the name of a folder that has only subfolders', () => {
    const paths = [...named.slice(0, 1), 'backend/src/quota/ledger/hold.ts', ...named.slice(2)];
    expect(unnamedRooms(paths, architecture).unknown).toEqual([]);
  });
});
