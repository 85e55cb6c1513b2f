/** Who asks the files of a project. */
export interface Searcher {
  /** Pays for the vector of the question. */
  userId: number;
  /** Aborts once nobody waits for the passages. */
  signal?: AbortSignal;
}
