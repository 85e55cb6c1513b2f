// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { joinFile, joinSection } from '../../files/projects/project-file-sql.js';
import { statement } from '../../platform/database/named-parameters.js';
import { type AskedWords, BACKWARDS } from '../indexing/search-words.js';
import { LONGEST_WORD, wordIn } from '../project-sql.js';
import { HITS_OF_FILE } from './spread.js';
import type { Passage } from '../../tools/tool.js';

/** A chunk that a search found, without its text. */
export interface Found {
  id: number;
  fileId: string;
  score: number;
}

export interface FoundByWords extends Found {
  /** Words of the question that were looked for and are in so many chunks that they count for nothing beside others. */
  common: string[];
}

export interface ChunkRow extends Omit<Passage, 'url'> {
  id: number;
  index: number;
  header: string;
}

/** Words of a question that are looked for, the longest ones, which say most. */
const MAX_WORDS = 24;

/** Words of a question up to which those without meaning, such as “the”, count too: they take the most time, and “who” may be a name. */
const WORDS_WITH_FILLERS = 6;

/**
 * Chunks with one word that are looked at. A word in more of them says little, and the others decide; where all words are so
 * common, chunks with all of them come first.
 */
const MAX_CHUNKS = 2_000;

/** Chunks with one of the words that are looked at where all words are so common, of all words together. */
const MAX_COMMON = 6_000;

/** Codes of a question that are looked for, the longest ones, and those of them that are looked for by their likeness. */
const MAX_CODES = 40;
const MAX_SIMILAR = 4;

/** Chunks that the words rank. The first ones of each file come first, so that a long file does not hide the others. */
const MAX_HITS = 60;
const MAX_SCORED = 600;

/** Pieces of texts without blanks between words that are looked for. */
const MAX_GRAMS = 32;

/** Letters of a word that no chunk has, from which its beginning is looked for, at least and without the last two. */
const LEAST_BEGINNING = 4;

/** What a beginning counts of a whole word. */
const BEGINNING_WEIGHT = 0.5;

/** What a word without meaning counts of another one. Between documents of several languages, “how” is as rare as a name. */
const FILLER_WEIGHT = 0.25;

/** Such words of Indonesian, of which Postgres has a stemmer, but no list. */
const INDONESIAN_FILLERS = `
  ada adalah agar akan anda apa apabila apakah atas atau bagaimana bagaimanakah bagi bahwa belum berapa berapakah bisa
  boleh bukan dalam dan dapat dari dengan di dia harus hingga ia ini itu jika juga kalau kami kamu kapan kapankah karena
  ke kenapa kepada kita lagi lalu maka mana manakah mengapa mereka oleh pada para saat saja sampai sangat saya sebagai
  sebelum secara sedang sejak semua seperti serta sesudah setelah setiap siapa siapakah sudah telah tentang terhadap
  tidak untuk yaitu yang`
  .trim()
  .split(/\s+/)
  .join(' ');

/** What a table of contents counts of the page that it points to: it has the words of many headings. */
const CONTENTS_WEIGHT = 0.5;

/** A word as it stands in the chunks of the project alone, quoted for a query. */
const quoted = (word: string): string => `quote_literal(${wordIn(':projectId::int', word)})`;

/**
 * A word as a query: itself or a stem. The stemmers leave an unknown word as it is and give nothing for one without meaning.
 */
const ANY_FORM = `(
    select string_agg(${quoted('form')}, '|')::tsquery
    from unnest(array[lexeme] || coalesce(ts_lexize('english_stem', lexeme), '{}') || coalesce(ts_lexize('indonesian_stem', lexeme), '{}')) form
  )`;

/** How much it says that a chunk has a word: more, the fewer chunks have it (the idf of BM25). Numerics are far slower. */
const rarity = (chunks: string): string =>
  `ln(1 + ((select chunks from size) - ${chunks} + 0.5::float8) / (${chunks} + 0.5::float8))`;

const CHUNKS_WITH = `select c.id from project_chunk c where c.search @@ words.query limit ${MAX_CHUNKS}`;

/**
 * The chunks of a project that fit a question best. Each word of it counts by its rarity in the project; one that no chunk
 * has by its beginning, which is that of its other forms, also with an umlaut that is written as “ue”, and as the last part
 * of a compound. A code counts twice. One that no chunk has counts by its likeness: to compare it with each chunk takes the
 * most time of a search. `:words`, `:grams` and `:beginnings` are those of `askedWords`, `:codes` those of `codesIn`. `:common`
 * are words that at least 2,000 chunks had lately: theirs are looked for only where no other word decides, or where the
 * project has fewer chunks by now.
 */
export const searchChunks = statement<AskedWords & { projectId: number; codes: string[]; common: string[] }>(`
with size as (
  select coalesce(sum(chunks), 0)::float8 as chunks from project_file where project_id = :projectId::int
), asked as (
  select lexeme, is_filler, is_gram,
    row_number() over (partition by is_gram order by is_filler, length(lexeme) desc, lexeme) as place
  from (
    select lexeme, false as is_gram from unnest(to_tsvector('simple', :words))
    union all select gram, true from unnest(:grams::text[]) gram
  ) word, lateral (
    select coalesce(ts_lexize('english_stem', lexeme) = '{}', false) or lexeme = any(string_to_array('${INDONESIAN_FILLERS}', ' ')) as is_filler
  ) meaning
  where lexeme !~ '\\\\' and octet_length(lexeme) <= ${LONGEST_WORD}
), words as (
  select ${ANY_FORM} as query, not is_gram and length(lexeme) > ${LEAST_BEGINNING} as has_beginning, lexeme,
    case when is_filler then ${FILLER_WEIGHT}::float8 else 1 end as weight
  from asked
  where place <= case when is_gram then ${MAX_GRAMS} when is_filler then ${WORDS_WITH_FILLERS} else ${MAX_WORDS} end
  union all
  select (${quoted('beginning')} || ':*')::tsquery, false, beginning || ':*', 1 from unnest(:beginnings::text[]) beginning
), matched as materialized (
  select words.query, words.has_beginning, words.lexeme, words.weight, chunk.ids, coalesce(cardinality(chunk.ids), ${MAX_CHUNKS}) as chunks
  from words cross join lateral (
    select case when lexeme = any(:common::text[]) and (select chunks from size) >= ${MAX_CHUNKS} then null
      else array(${CHUNKS_WITH}) end as ids offset 0
  ) chunk
), few as (
  select ids, weight * ${rarity('chunks')} as score from matched where chunks between 1 and ${MAX_CHUNKS - 1}
), begun as materialized (
  select array(select c.id from project_chunk c where c.search @@ started.query limit ${MAX_CHUNKS}) as ids
  from (
    select (select string_agg(${quoted('started')} || ':*', '|')::tsquery
      from unnest(array[lexeme, regexp_replace(lexeme, '([aou])e', '\\1', 'g')]) form,
        lateral (select left(form, greatest(${LEAST_BEGINNING}, length(form) - 2)) as stem) cut,
        unnest(array[stem, '${BACKWARDS}' || reverse(stem), '${BACKWARDS}' || reverse(form)]) started) as query
    from matched where chunks = 0 and has_beginning
  ) started
), every_word as materialized (
  select array(
    select c.id from project_chunk c
    where c.search @@ (select string_agg('(' || query::text || ')', '&')::tsquery from matched where chunks > 0) limit ${MAX_CHUNKS}
  ) as ids where not exists (select from few) and exists (select from matched where chunks > 0)
), coded as materialized (
  select code, array(
    select c.id from project_chunk c
    where c.project_id = :projectId::int and c.codes like '%' || code || '%' limit ${MAX_CHUNKS}
  ) as ids
  from (select code from unnest(:codes::text[]) code order by length(code) desc, code limit ${MAX_CODES}) wanted
), telling as materialized (
  select ids, score from few
  union all
  select ids, ${rarity('1')} from every_word
  union all
  select trim_array(list.ids, greatest(0, cardinality(list.ids) - ${MAX_COMMON} / (select count(*)::int from matched))),
    weight * ${rarity('cardinality(list.ids)')}
  from matched words, lateral (select coalesce(words.ids, array(${CHUNKS_WITH})) as ids offset 0) list
  where chunks > 0 and (select cardinality(ids) from every_word) < ${MAX_HITS}
  union all
  select ids, ${BEGINNING_WEIGHT} * ${rarity('cardinality(ids)')} from begun where cardinality(ids) < ${MAX_CHUNKS}
  union all
  select ids, 2 * ${rarity('cardinality(ids)')} from coded where cardinality(ids) < ${MAX_CHUNKS}
), missing as (
  select code from coded where ids = '{}' and code not like '%§' order by length(code) desc, code limit ${MAX_SIMILAR}
), hit as (
  select unnest(ids) as id, score from telling
  union all
  select alike.id, 2 * alike.likeness * ${rarity('alike.chunks')} from (
    select c.id, word_similarity(code, c.codes) as likeness, count(*) over (partition by code) as chunks
    from missing join project_chunk c on c.project_id = :projectId::int and code <% c.codes
  ) alike
), scored as (
  select id, sum(score) as score from hit group by id order by score desc, id limit ${MAX_SCORED}
), ranked as (
  select id, file_id, score from (
    select id, file_id, score, row_number() over (partition by file_id order by score desc, id) as place from (
      select scored.id, c.file_id, scored.score * case when c.is_contents then ${CONTENTS_WEIGHT} else 1 end as score
      from scored join project_chunk c on c.id = scored.id and c.project_id = :projectId::int
    ) weighed
  ) placed order by place > ${HITS_OF_FILE}, score desc, id limit ${MAX_HITS}
)
select id, file_id as "fileId", score, array(select lexeme from matched where cardinality(ids) = ${MAX_CHUNKS}) as common
from ranked order by score desc, id`);

/** Length of a code from which one other character leaves more than two thirds of its trigrams. */
const LONG_CODE = 9;

/**
 * Settings of the transaction of a search. To compile it would take longer than to run it. The planner does not know that a
 * scan of the table reads every vector from outside of its row. Without nested loops it reads all chunks of the project for
 * the few that are found, however many there are. To plan a search takes a third of its time, and no plan is better than the
 * others unless codes are looked for, for which small projects have another index. Long codes with the same beginning, such
 * as all invoices of a year, share six tenths of their trigrams.
 */
export const searchSettings = (codes: readonly string[]): string =>
  `set local jit = off;
  set local enable_seqscan = off;
  set local enable_hashjoin = off;
  set local enable_mergejoin = off;
  set local plan_cache_mode = ${codes.length === 0 ? 'force_generic_plan' : 'auto'};
  set local pg_trgm.word_similarity_threshold = ${codes.some(({ length }) => length >= LONG_CODE) ? 0.68 : 0.6}`;

/** Where the chunks stand that an earlier answer cited: the one with its quote, else the first of its section. */
export const findCited = statement<{ projectId: number; fileIds: string[]; sections: number[]; quotes: string[] }>(`
select chunk.file_id as "fileId", chunk.index
from unnest(:fileIds::uuid[], :sections::int[], :quotes::text[])
  with ordinality as cited(file_id, section, quote, place)
cross join lateral (
  select c.file_id, c.index from project_chunk c
  where c.project_id = :projectId::int and c.file_id = cited.file_id and c.section = cited.section
  order by position(cited.quote in c.text) = 0, c.index limit 1
) chunk order by cited.place`);

/** The chunks at these places, each by its file and its index in it. */
export const selectChunks = statement<{ projectId: number; fileIds: string[]; indexes: number[] }>(`
select c.id, c.file_id as "fileId", f.name, c.index, c.section, c.start, s.label, c.header, c.text
from unnest(:fileIds::uuid[], :indexes::int[]) as wanted(file_id, index)
join project_chunk c on c.file_id = wanted.file_id and c.index = wanted.index and c.project_id = :projectId::int
${joinFile('f', 'c.file_id')} ${joinSection('s', 'c.file_id', 'c.section')}`);

/** The chunks with these ids that are still there. */
export const selectChunksById = statement<{ projectId: number; ids: number[] }>(`
select c.id, c.file_id as "fileId", f.name, c.index, c.section, c.start, s.label, c.header, c.text
from project_chunk c ${joinFile('f', 'c.file_id')} ${joinSection('s', 'c.file_id', 'c.section')}
where c.id = any(:ids::bigint[]) and c.project_id = :projectId::int`);
