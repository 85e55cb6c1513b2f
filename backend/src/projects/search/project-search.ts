import type { SearchHit } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Asker } from '../../identity/identity.js';
import { Statements } from '../../platform/database/statements.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { inSlices } from '../../platform/system/slices.js';
import { estimateTokens } from '../../providers/token-estimate.js';
import type { CitedPlace, Passage } from '../../tools/tool.js';
import { askedCodes } from '../indexing/codes.js';
import { askedWords, folded } from '../indexing/search-words.js';
import { WordsRenewal } from '../indexing/words-renewal.js';
import { ProjectsService } from '../projects.service.js';
import { MeaningSearch } from './meaning-search.js';
import { passageOf } from '../passages.js';
import type { Searcher } from './searcher.js';
import { spread } from './spread.js';
import { CommonWords } from './common-words.js';
import { SearchTurns } from './search-turns.js';
import {
  type ChunkRow,
  findCited,
  type Found,
  type FoundByWords,
  searchChunks,
  searchSettings,
  selectChunks,
  selectChunksById,
} from './search-chunks.sql.js';

/** Searches of a member on the page. Seconds. */
const SEARCHES: RateLimit = { name: 'project-search', points: 120, window: 60 };

/** Characters of a question that are looked for: half of them at its end, where a long one mostly asks. */
const MAX_QUERY = 2_000;

/** Passages of one answer. */
const HITS = 10;

/** A phrase in quotation marks of any language. */
const PHRASE = /["“”„«»「『]([^"“”„«»「」『』]{2,200})["“”«»」』]/g;

/** Lists that are joined: the rank of a chunk in one counts less, the later it comes (reciprocal rank fusion, Cormack 2009). */
const RANK_OFFSET = 60;

/** How much the words count beside the vectors where a question has a code or a date, which vectors hardly tell from another one. */
const CODE_WEIGHT = 3;

/** Steps from a chunk that an earlier answer cited to those that a follow-up may mean, the likeliest first. */
const STEPS_FROM_CITED = [0, 1, -1, 2, 3];

/** Characters of a quote by which its chunk is found: the rest may stand in the next one. */
const FINDING_QUOTE = 60;

/** Share of the room that is kept for what the earlier answer cited. */
const CITED_SHARE = 0.5;

/** A chunk with its text and how well it fits. */
type Hit = ChunkRow & Found;

/** Finds passages of the files of a project by their words and their meaning. */
@Injectable()
export class ProjectSearch {
  private readonly common = new CommonWords();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly turns: SearchTurns,
    private readonly projects: ProjectsService,
    private readonly meanings: MeaningSearch,
    private readonly renewal: WordsRenewal,
    private readonly limits: RateLimits,
  ) {}

  /** @throws AppError `not_found`, `rate_limited`, `server_busy`, the reason of the signal */
  async forMember(asker: Asker, projectId: number, query: string, signal: AbortSignal): Promise<SearchHit[]> {
    await this.projects.require(asker, projectId, 'read');
    await this.limits.consume(SEARCHES, asker.owner);
    return (await this.chunks(projectId, query, { userId: asker.userId!, signal })).map(toHit);
  }

  /**
   * The chunks that fit a question best, the best first.
   * @throws AppError `server_busy`, the reason of the signal
   */
  async chunks(projectId: number, question: string, searcher: Searcher): Promise<Hit[]> {
    const query = cut(question).toWellFormed().replaceAll('\0', ' ').trim();
    if (query === '') return [];
    const [byWords, byMeaning] = await Promise.all([
      this.byWords(projectId, query, searcher),
      this.meanings.nearest(projectId, query, searcher),
    ]);
    const weight = askedCodes(query).length === 0 ? 1 : CODE_WEIGHT;
    const found = byMeaning.length === 0 ? byWords : joined(byWords, weight, byMeaning);
    const phrases = phrasesIn(query);
    if (phrases.length === 0) return this.withTexts(projectId, spread(found, HITS));
    return spread(await phrasesFirst(await this.withTexts(projectId, found), phrases), HITS);
  }

  /** The chunks that are still there. */
  private async withTexts(projectId: number, found: readonly Found[]): Promise<Hit[]> {
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const rows = await this.dataSource.query<ChunkRow[]>(...selectChunksById({ projectId, ids }));
    const chunks = new Map(rows.map((row) => [row.id, row]));
    return found.flatMap(({ id, score }) => {
      const chunk = chunks.get(id);
      return chunk === undefined ? [] : [{ ...chunk, score }];
    });
  }

  private async byWords(projectId: number, query: string, { userId, signal }: Searcher): Promise<Found[]> {
    const find = (): Promise<Found[]> => this.turns.run(userId, () => this.withWords(projectId, query), signal);
    const found = await find();
    if (found.length > 0) this.renewal.prefer(projectId);
    else if (await this.renewal.renewNow(projectId)) return find();
    return found;
  }

  private async withWords(projectId: number, query: string): Promise<Found[]> {
    const codes = askedCodes(query);
    const common = this.common.commonIn(projectId);
    const search = searchChunks({ projectId, ...askedWords(query), codes, common });
    const found = await this.statements.runWith<FoundByWords>(searchSettings(codes), ...search);
    this.common.add(projectId, found[0]?.common ?? []);
    return found;
  }

  /**
   * Passages for a model, the best first: each chunk with its neighbours in the same section, as far as they fit. Behind
   * them stands what an earlier answer cited, with what comes before and after it.
   * @param tokens of all passages together; the best chunk is never left out
   * @param cited of the earlier answer
   */
  async passages(
    projectId: number,
    question: string,
    searcher: Searcher,
    tokens: number,
    cited: readonly CitedPlace[] = [],
  ): Promise<Passage[]> {
    const hits = await this.chunks(projectId, question, searcher);
    const places = hits.flatMap(({ fileId, index }) => [-1, 1].map((step) => ({ fileId, index: index + step })));
    const around = await this.chunksAt(projectId, places);
    const near = await this.nearCited(projectId, cited);
    const chunks = new Map<string, ChunkRow>([...around, ...hits].map((chunk) => [keyOf(chunk), chunk]));
    const kept = Math.min(tokens * CITED_SHARE, tokensOf(near));
    const taken = new Set<ChunkRow['id']>();
    const runs: ChunkRow[][] = [];
    let room = tokens - kept;
    for (const hit of hits) {
      if (taken.has(hit.id)) continue;
      const neighbours = [-1, 0, 1].flatMap((step) => {
        const chunk = chunks.get(keyOf({ fileId: hit.fileId, index: hit.index + step }));
        return chunk === undefined || chunk.section !== hit.section || taken.has(chunk.id) ? [] : [chunk];
      });
      const run = tokensOf(neighbours) <= room ? neighbours : [hit];
      if (tokensOf(run) > room && runs.length > 0) break;
      for (const { id } of run) taken.add(id);
      room -= tokensOf(run);
      runs.push(run);
    }
    room += kept;
    const followed: ChunkRow[] = [];
    for (const chunk of near) {
      if (taken.has(chunk.id)) continue;
      room -= tokensOf([chunk]);
      if (room < 0) break;
      followed.push(chunk);
    }
    return [...runs, ...inRuns(followed)].map((run) => toPassage(projectId, run));
  }

  /** The chunks that an earlier answer cited and those around them, the likeliest first. */
  private async nearCited(projectId: number, cited: readonly CitedPlace[]): Promise<ChunkRow[]> {
    if (cited.length === 0) return [];
    type Place = Pick<ChunkRow, 'fileId' | 'index'>;
    const found = await this.dataSource.query<Place[]>(
      ...findCited({
        projectId,
        fileIds: cited.map(({ fileId }) => fileId),
        sections: cited.map(({ section }) => section),
        quotes: cited.map(({ quote }) => quote.slice(0, FINDING_QUOTE).toWellFormed()),
      }),
    );
    const places = STEPS_FROM_CITED.flatMap((step) =>
      found.map(({ fileId, index }) => ({ fileId, index: index + step })),
    );
    const chunks = new Map((await this.chunksAt(projectId, places)).map((chunk) => [keyOf(chunk), chunk]));
    return [...new Set(places.map(keyOf))].flatMap((key) => chunks.get(key) ?? []);
  }

  private chunksAt(projectId: number, places: readonly Pick<ChunkRow, 'fileId' | 'index'>[]): Promise<ChunkRow[]> {
    const [fileIds, indexes] = [places.map(({ fileId }) => fileId), places.map(({ index }) => index)];
    return this.dataSource.query<ChunkRow[]>(...selectChunks({ projectId, fileIds, indexes }));
  }
}

const cut = (question: string): string =>
  question.length <= MAX_QUERY ? question : `${question.slice(0, MAX_QUERY / 2)} ${question.slice(-MAX_QUERY / 2)}`;

/** A chunk for a reader: a piece of a table begins with the header. */
const textOf = ({ header, text }: Pick<ChunkRow, 'header' | 'text'>): string =>
  header === '' ? text : `${header}\n${text}`;

const keyOf = ({ fileId, index }: Pick<ChunkRow, 'fileId' | 'index'>): string => `${fileId}:${index}`;

const tokensOf = (chunks: readonly ChunkRow[]): number =>
  chunks.reduce((sum, chunk) => sum + estimateTokens(textOf(chunk)), 0);

/** Chunks in the order of their documents; those of a run follow one another in one section. */
function inRuns(chunks: readonly ChunkRow[]): ChunkRow[][] {
  const runs: ChunkRow[][] = [];
  const isNext = (last: ChunkRow | undefined, chunk: ChunkRow): boolean =>
    last?.fileId === chunk.fileId && last.section === chunk.section && last.index + 1 === chunk.index;
  for (const chunk of chunks.toSorted((a, b) => a.fileId.localeCompare(b.fileId) || a.index - b.index)) {
    const run = runs.at(-1);
    if (run !== undefined && isNext(run.at(-1), chunk)) run.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}

function toPassage(projectId: number, run: readonly ChunkRow[]): Passage {
  const { fileId, name, section, label, start } = run[0]!;
  const text = run.map((chunk, at) => (at === 0 ? textOf(chunk) : chunk.text)).join('\n');
  return passageOf(projectId, { fileId, name, index: section, label, start, text });
}

/** The chunks by their ranks in both lists, the best first. The words decide between equal ones. */
function joined(byWords: readonly Found[], weight: number, byMeaning: readonly Found[]): Found[] {
  const found = new Map<number, Found>();
  const add = ({ id, fileId }: Found, score: number) =>
    found.set(id, { id, fileId, score: (found.get(id)?.score ?? 0) + score });
  for (const [rank, chunk] of byWords.entries()) add(chunk, weight / (RANK_OFFSET + 1 + rank));
  for (const [rank, chunk] of byMeaning.entries()) add(chunk, 1 / (RANK_OFFSET + 1 + rank));
  return [...found.values()].toSorted((a, b) => b.score - a.score);
}

const phrasesIn = (query: string): string[] =>
  [...query.matchAll(PHRASE)].map(([, phrase = '']) => comparable(phrase)).filter(Boolean);

/**
 * The chunks that have each quoted phrase of a question, before the others and with a higher score. Lengths of blanks, accents
 * and capital letters do not count.
 */
async function phrasesFirst(chunks: readonly Hit[], phrases: readonly string[]): Promise<Hit[]> {
  const [having, others]: [Hit[], Hit[]] = [[], []];
  for await (const chunk of inSlices(chunks)) {
    const text = comparable(textOf(chunk));
    (phrases.every((phrase) => text.includes(phrase)) ? having : others).push(chunk);
  }
  const most = chunks[0]?.score ?? 0;
  return [...having.map((chunk) => ({ ...chunk, score: chunk.score + most })), ...others];
}

const comparable = (text: string): string => folded(text).replace(/\s+/g, ' ').trim();

const toHit = ({ fileId, name, section, label, header, text, score }: Hit): SearchHit => ({
  fileId,
  name,
  section,
  label,
  quote: textOf({ header, text }),
  score,
});
