import { GenerationStore } from '../../../src/chat/generation/store/generation-store.js';
import { type ChatHarness, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { dataOf } from '../../harness/socket-client.js';
import { ENDLESS } from './two-nodes.js';

describe('a checkpoint', () => {
  let database: TestDatabase;
  let one: ChatHarness;

  beforeAll(async () => {
    database = await createDatabase();
    one = await startChatHarness({ redis: true, database, timings: FAST_TIMINGS });
  });

  afterEach(() => one.settle());

  afterAll(async () => {
    await one.close();
    await database.drop();
  });

  it('leaves no text when its answer ends concurrently (I3)', async () => {
    const { page } = await one.memberPage();
    const store = one.app.get(GenerationStore);
    const { generationId } = await page.start(`stored late ${ENDLESS}`);
    await page.firstText(generationId);
    await withConnection(database, async (storing) => {
      await storing.query('begin');
      await storing.query(`select from generation where id = $1 and status = 'streaming' for share`, [generationId]);
      const stopped = page.tryStop(generationId);
      await waitForLockWait(database);
      await storing.query(
        `insert into generation_chunk (generation_id, seq, text, reasoning) values ($1, 1000000, 'late', '')`,
        [generationId],
      );
      await storing.query('commit');
      expect(dataOf(await stopped)).toEqual({ status: 'stopped' });
    });
    expect(await store.checkpoint(generationId)).toMatchObject({ seq: 0 });
  });

  it('stores no text of an answer whose end is being stored (I3)', async () => {
    const { page } = await one.memberPage();
    const store = one.app.get(GenerationStore);
    const { generationId } = await page.start('ended before');
    await page.ended(generationId);
    await withConnection(database, async (ending) => {
      // The state in which the end is being stored.
      await ending.query(`update generation set status = 'streaming' where id = $1`, [generationId]);
      await ending.query('begin');
      await ending.query(`update generation set status = 'complete' where id = $1`, [generationId]);
      const stored = store.saveChunks([
        { generationId, seq: 1_000_000, text: 'late', reasoning: '', parts: null, isWhole: false },
      ]);
      await waitForLockWait(database);
      await ending.query('commit');
      await stored;
    });
    expect(await store.checkpoint(generationId)).toMatchObject({ seq: 0 });
  });
});
