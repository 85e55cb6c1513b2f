import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const CHUNKS_OF_FILE = 200;
const WORDS_OF_CHUNK = 260;
const VOCABULARY = 60_000;

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'wo', 'yu', 'za'];

/** The word of a rank; frequent words are short. */
function wordOf(rank) {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
}

/** Numbers from 0 to 1 in a fixed order. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often the words of each rank occur, summed up: the law of Zipf, as in a natural language. */
const frequencies = new Float64Array(VOCABULARY);
for (let rank = 0, sum = 0; rank < VOCABULARY; rank += 1) frequencies[rank] = sum += 1 / (rank + 2.7) ** 1.05;

function rankOf(share) {
  const wanted = share * frequencies[VOCABULARY - 1];
  let [low, high] = [0, VOCABULARY - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frequencies[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

const invoice = (random) =>
  `inv${2015 + Math.floor(random() * 10)}${String(Math.floor(random() * 10_000)).padStart(4, '0')}`;

/** Questions of six words of a natural text; every fourth has a code, of which half occur in no chunk. */
export function questionsOf(count) {
  const random = randomOf(7);
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 6 }, () => wordOf(rankOf(random()))).join(' ');
    return index % 4 === 0 ? `${words} ${invoice(random)}` : words;
  });
}

/**
 * Fills a project with chunks of 260 words, of which every second has the codes of three invoices. Their search vectors have
 * no stems, which invented words lack; no version of the server makes them again.
 */
export async function seedProject(url, { projectId, ownerId, memberIds, chunks }) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`insert into project (id, name) values ($1, 'Measured')`, [projectId]);
    await client.query(`insert into project_member values ($1, $2, 'owner')`, [projectId, ownerId]);
    await client.query(`insert into project_member select $1, unnest($2::int[]), 'viewer'`, [projectId, memberIds]);
    const files = Array.from({ length: Math.ceil(chunks / CHUNKS_OF_FILE) }, (_, index) => uuidOf(projectId, index));
    await client.query(
      `insert into file (id, owner, project_id, name, type, size)
       select id, 'project:' || $1::int, $1::int, 'file ' || n, 'application/pdf', 1000 from unnest($2::uuid[]) with ordinality file(id, n)`,
      [projectId, files],
    );
    await client.query(
      `insert into project_file (file_id, project_id, sha256, state, sections, chunks, words_version)
       select id, $1::int, id::text, 'ready', 1, $3::int, 1000 from unnest($2::uuid[]) id`,
      [projectId, files, CHUNKS_OF_FILE],
    );
    await client.query(
      `insert into file_section (file_id, index, kind, label, text) select unnest($1::uuid[]), 0, 'page', 'page 1', ''`,
      [files],
    );
    const indexes = await withoutIndexes(client);
    const columns = 'project_id, file_id, index, section, start, "end", text, codes, search';
    const rows = Readable.from(chunkRows(projectId, files, chunks));
    await pipeline(rows, client.query(copyFrom(`copy project_chunk (${columns}) from stdin`)));
    await client.query(`set maintenance_work_mem = '512MB'`);
    for (const index of indexes) await client.query(index);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Drops the search indexes, whose maintenance would dominate the import. @returns the statements that recreate them */
async function withoutIndexes(client) {
  const names = ['project_chunk_search', 'project_chunk_codes'];
  const { rows } = await client.query('select indexdef from pg_indexes where indexname = any($1)', [names]);
  for (const name of names) await client.query(`drop index ${name}`);
  return rows.map(({ indexdef }) => indexdef);
}

function* chunkRows(projectId, files, count) {
  const random = randomOf(projectId);
  for (let index = 0; index < count; index += 1) {
    const words = Array.from({ length: WORDS_OF_CHUNK }, () => wordOf(rankOf(random())));
    const codes = index % 2 === 0 ? [] : [1, 2, 3].map(() => invoice(random));
    const search = [...new Set([...words, ...codes])].map((word) => `'${projectId} ${word}'`).join(' ');
    const place = [files[Math.floor(index / CHUNKS_OF_FILE)], index % CHUNKS_OF_FILE, 0, 0, 1_000];
    const row = [projectId, ...place, [...words, ...codes].join(' '), codes.join(' '), search];
    yield `${row.join('\t')}\n`;
  }
}

const uuidOf = (projectId, index) =>
  createHash('md5')
    .update(`${projectId} ${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
