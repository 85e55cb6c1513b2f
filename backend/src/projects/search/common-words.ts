/** How long a word counts as common, ms: its files may be deleted. */
const KEPT_MS = 10 * 60_000;

/** Projects that are remembered, the last searched ones, and words of each. */
const MAX_PROJECTS = 200;
const MAX_WORDS = 500;

interface Known {
  words: Set<string>;
  until: number;
}

/**
 * Words that so many chunks of a project have that they count for nothing in a search beside others. To find that out again
 * takes half of the time of a search.
 */
export class CommonWords {
  private readonly projects = new Map<number, Known>();

  commonIn(projectId: number): string[] {
    const known = this.projects.get(projectId);
    return known === undefined || known.until < Date.now() ? [] : [...known.words];
  }

  add(projectId: number, words: readonly string[]): void {
    const known = this.projects.get(projectId);
    const isKnown = known !== undefined && known.until >= Date.now();
    if (words.length === 0 && !isKnown) return;
    const { words: all, until } = isKnown ? known : { words: new Set<string>(), until: Date.now() + KEPT_MS };
    for (const word of words) if (all.size < MAX_WORDS) all.add(word);
    this.projects.delete(projectId);
    this.projects.set(projectId, { words: all, until });
    const [oldest] = this.projects.keys();
    if (this.projects.size > MAX_PROJECTS && oldest !== undefined) this.projects.delete(oldest);
  }
}
