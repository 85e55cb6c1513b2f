import { crowdedRooms } from './rooms.mjs';

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
