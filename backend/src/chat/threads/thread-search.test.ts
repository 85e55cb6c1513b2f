import { type FoundRow, ThreadList } from './thread-list.js';
import { MessageStore, type SearchedPart } from '../messages/message-store.js';
import { ThreadSearch } from './thread-search.js';

const LONG_MESSAGES = 20;

const time = new Date('2026-11-22T05:00:00Z');

const row = (id: number) =>
  ({
    id,
    match_id: id,
    title: 'x',
    created_at: time,
    updated_at: time,
    open_status: null,
    tools: [],
  }) as unknown as FoundRow;

const message = (id: number): SearchedPart => ({
  id,
  content: 'a b '.repeat(12_500),
  is_user_message: true,
  created_at: time,
});

afterEach(() => jest.restoreAllMocks());

it('lets other work run between the lines of long messages', async () => {
  const rows = Array.from({ length: LONG_MESSAGES }, (_, at) => row(at));
  const list = { search: async () => ({ rows, nextCursor: null }) } as unknown as ThreadList;
  const messages = {
    searchedParts: async (ids: number[]) => new Map(ids.map((id) => [id, message(id)])),
  } as unknown as MessageStore;
  // Each look at the clock is later by more than a slice, however fast the machine is.
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const { results } = await new ThreadSearch(list, messages).search(1, 'b', { limit: 50, before: null });
  clearImmediate(immediate);
  expect(results.map(({ match }) => match?.line.slice(0, 3))).toEqual(rows.map(() => 'a b'));
  expect(turns).toBeGreaterThanOrEqual(LONG_MESSAGES - 1);
});
