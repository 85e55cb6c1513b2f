import pg from 'pg';
import { figure } from '../figures.mjs';
import { Histogram } from '../load/histogram.mjs';
import { questionsOf, seedProject } from '../seed-project.mjs';
import { startProduct, warmUp } from '../servers.mjs';

/** Chunks of the project that has the goal. */
const CHUNKS = 20_000;

/** Searches at once. */
const AT_ONCE = 10;

const PROJECT = 1_000;

/** Members that search in turn, so that their rate limits do not matter. */
const MEMBERS = 100;

/** Answers beside which the searches run, and words of each in a second: as models have them, and so many that two cores are full. */
const STREAMS = 200;
const RATES = [20, 50];

/**
 * Searches in one project, ten at once, in turns with the floor: the same words in the same index, without their rarity, the
 * choice between files, sessions and HTTP. Then the same beside answers to others, whose words may not come later for it.
 * `--rows N` is the number of chunks.
 */
export async function run({ harness, upstream, quick, members, runLoad, rows = CHUNKS }) {
  const { url, cookies, ids } = await members(MEMBERS + STREAMS, `projects_${rows}`);
  const [ownerId, ...memberIds] = ids;
  const isSeeded = (await harness.query(url, 'select from project where id = $1', [PROJECT])).length > 0;
  if (!isSeeded) await seedProject(url, { projectId: PROJECT, ownerId, memberIds, chunks: rows });
  const server = await startProduct(harness, url, upstream);
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  const product = new Histogram();
  const floor = new Histogram();
  const beside = [];
  try {
    const questions = questionsOf(quick ? 100 : 400);
    // The first ones create plans and read the index.
    await inTurns(questions.slice(0, 40), [
      (question, at) => search(server.port, cookies[at % MEMBERS], question),
      (question) => scan(pool, question),
    ]);
    await inTurns(questions, [
      async (question, at) => product.add(await timed(() => search(server.port, cookies[at % MEMBERS], question))),
      async (question) => floor.add(await timed(() => scan(pool, question))),
    ]);
    for (const tps of RATES) {
      const plan = {
        mode: 'steady',
        kind: server.kind,
        target: { ...server.target, cookies: cookies.slice(MEMBERS) },
        users: STREAMS,
        tps,
        tokens: 5 * tps,
        warm: warmUp(quick),
        seconds: quick ? 5 : 8,
        watched: { server: server.pid, storage: harness.storagePids },
      };
      const alone = await runLoad(plan);
      const crowded = new Histogram();
      let isOver = false;
      const searching = Array.from({ length: AT_ONCE }, async (_, first) => {
        for (let at = first; !isOver; at += AT_ONCE)
          crowded.add(await timed(() => search(server.port, cookies[at % MEMBERS], questions[at % questions.length])));
      });
      const searched = await runLoad(plan).finally(() => (isOver = true));
      await Promise.all(searching);
      beside.push({ tps, alone, crowded, searched });
    }
  } finally {
    await pool.end();
    await server.end('SIGKILL');
  }
  const name = `search of ${rows.toLocaleString('en')} chunks, ${AT_ONCE} at once`;
  const goal = rows <= CHUNKS ? { atMost: 150 } : {};
  return [
    figure(`${name}, p95`, product.quantile(0.95), 'ms', goal),
    figure(`${name}, p50`, product.quantile(0.5), 'ms'),
    figure(`${name}, p50, product / floor`, product.quantile(0.5) / floor.quantile(0.5), '×'),
    ...beside.flatMap(({ tps, alone, crowded, searched }) => [
      figure(`${name}, beside ${STREAMS} × ${tps} tok/s, p95`, crowded.quantile(0.95), 'ms', goal),
      figure(`${STREAMS} × ${tps} tok/s: added per token, p99`, alone.delay.p99, 'ms'),
      figure(
        `${STREAMS} × ${tps} tok/s: added per token, p99, with searches / without`,
        searched.delay.p99 / alone.delay.p99,
        '×',
        { atMost: 1.2 },
      ),
    ]),
  ];
}

/** Each kind of work with ten questions at once, then the next kind with the same ones. */
async function inTurns(questions, kinds) {
  for (let first = 0; first < questions.length; first += AT_ONCE)
    for (const work of kinds)
      await Promise.all(questions.slice(first, first + AT_ONCE).map((question, at) => work(question, first + at)));
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) * 1000;
}

async function search(port, cookie, question) {
  const path = `/api/projects/${PROJECT}/search?q=${encodeURIComponent(question)}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
  const hits = await answer.json();
  if (!answer.ok || hits.length === 0) throw new Error(`${path}: ${answer.status}, ${hits.length} hits`);
}

const scan = (pool, question) =>
  pool.query('select id from project_chunk where search @@ $1::tsquery order by id limit 60', [
    question
      .split(' ')
      .map((word) => `'${PROJECT} ${word}'`)
      .join(' | '),
  ]);
