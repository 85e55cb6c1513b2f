import { joinFile, joinSection } from '../../files/projects/project-file-sql.js';
import { statement } from '../../platform/database/named-parameters.js';

/** A chunk that a search found. */
export interface ChunkRow {
  id: number;
  fileId: string;
  name: string;
  index: number;
  section: number;
  /** Of its text in the section. */
  start: number;
  label: string;
  header: string;
  text: string;
  score: number;
}

/** Words of a question that are looked for, the longest ones, which say most. */
const MAX_WORDS = 40;

/** Chunks with one word that are looked at. A word in more of them says little, and the others decide. */
const MAX_CHUNKS = 4_000;

/** Chunks that the words rank, before the choice between the files. */
const MAX_HITS = 60;

/**
 * A word as a query: itself or a stem, in the chunks of the project alone. The stemmers leave an unknown word as it is and
 * give nothing for one without meaning.
 */
const ANY_FORM = `(('''#' || :projectId::int || '''')::tsquery && (
    select string_agg(quote_literal(form), '|')::tsquery
    from unnest(array[lexeme] || coalesce(ts_lexize('english_stem', lexeme), '{}') || coalesce(ts_lexize('indonesian_stem', lexeme), '{}')) form
  ))`;

/** How much it says that a chunk has a word: more, the fewer chunks have it (the idf of BM25). */
const RARITY = 'ln(1 + (size.chunks - hit.chunks + 0.5) / (hit.chunks + 0.5))';

/**
 * The chunks of a project that fit a question best. Each word of it counts by its rarity in the project; a code counts by
 * its likeness, twice. `:codes` are those of `codesIn`.
 */
export const searchChunks = statement<{ projectId: number; query: string; codes: string[] }>(`
with size as (
  select count(*)::float8 as chunks from project_chunk where project_id = :projectId::int
), words as (
  select row_number() over () as word, ${ANY_FORM} as query
  from (select lexeme from unnest(to_tsvector('simple', :query)) where lexeme !~ '\\\\' order by length(lexeme) desc, lexeme limit ${MAX_WORDS}) question
), found as (
  select words.word, chunk.id, count(*) over (partition by words.word) as chunks
  from words cross join lateral (
    select c.id from project_chunk c where c.search @@ words.query limit ${MAX_CHUNKS}
  ) chunk
), hit as (
  select id, chunks, 1.0::float8 as likeness from found
  where chunks < ${MAX_CHUNKS} or not exists (select from found other where other.chunks < ${MAX_CHUNKS})
  union all
  select id, count(*) over (partition by code) as chunks, likeness from (
    select c.id, code, 2 * case when c.codes like '%' || code || '%' then 1 else word_similarity(code, c.codes) end as likeness
    from unnest(:codes::text[]) code
    join project_chunk c on c.project_id = :projectId::int and (c.codes like '%' || code || '%' or code <% c.codes)
  ) coded
), ranked as (
  select hit.id, sum(${RARITY} * hit.likeness) as score from hit, size group by hit.id order by score desc, hit.id limit ${MAX_HITS}
)
select c.id, c.file_id as "fileId", f.name, c.index, c.section, c.start, s.label, c.header, c.text, ranked.score
from ranked join project_chunk c on c.id = ranked.id ${joinFile('f', 'c.file_id')}
${joinSection('s', 'c.file_id', 'c.section')}
order by ranked.score desc, c.id`);

/** The chunks at these places, each by its file and its index in it. */
export const selectChunks = statement<{ projectId: number; fileIds: string[]; indexes: number[] }>(`
select c.id, c.file_id as "fileId", f.name, c.index, c.section, c.start, s.label, c.header, c.text, 0::float8 as score
from unnest(:fileIds::uuid[], :indexes::int[]) as wanted(file_id, index)
join project_chunk c on c.file_id = wanted.file_id and c.index = wanted.index and c.project_id = :projectId::int
${joinFile('f', 'c.file_id')} ${joinSection('s', 'c.file_id', 'c.section')}`);
