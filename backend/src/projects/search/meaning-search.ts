import { Injectable } from '@nestjs/common';
import { EmbeddingModel } from '../embedding/embedding-model.js';
import { EmbeddingStore } from '../embedding/embedding-store.js';
import { similarity } from '../embedding/vectors.js';
import type { Searcher } from './searcher.js';
import type { Found } from './search-chunks.sql.js';
import { SearchTurns } from './search-turns.js';
import { spread } from './spread.js';

/** Chunks that the vectors rank, before the choice between the files; as many as the words rank. */
const MAX_HITS = 60;

/** Finds chunks whose vectors are near to that of a question. */
@Injectable()
export class MeaningSearch {
  constructor(
    private readonly model: EmbeddingModel,
    private readonly store: EmbeddingStore,
    private readonly turns: SearchTurns,
  ) {}

  /**
   * The nearest chunks, the nearest first; none without a model or vectors. Postgres compares the bits of all vectors,
   * and the numbers of the 300 nearest are compared here, within 2 ms.
   */
  async nearest(projectId: number, question: string, { userId, signal }: Searcher): Promise<Found[]> {
    const set = this.model.current() === null ? null : await this.store.serving(projectId);
    const vector = set === null ? null : await this.model.ofQuestion(set, question, userId, signal);
    if (set === null || vector === null) return [];
    const near = await this.turns.run(userId, () => this.store.near(projectId, set.id, vector), signal);
    const ranked = near
      .map(({ id, fileId, ...stored }) => ({ id, fileId, score: similarity(vector, stored) }))
      .toSorted((a, b) => b.score - a.score || a.id - b.id);
    return spread(ranked, MAX_HITS);
  }
}
