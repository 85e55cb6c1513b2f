/** Models of one connection whose changes are remembered, and characters of their ids. */
export const MAX_ADAPTED_MODELS = 200;
const MAX_MODEL_ID = 200;

/** Changes of one model. Each value of a default that was refused is one; the latest stay. */
export const MAX_CHANGES = 50;

/** Receives the changes of requests for a model when new ones were learnt. Must not throw. */
type AdaptationListener = (model: string, changes: readonly string[]) => void;

/** How requests of one connection are changed, because its server refuses them otherwise: names of changes by model. */
export class AdaptationMemory {
  private models = new Map<string, ReadonlySet<string>>();

  constructor(private readonly onLearnt: AdaptationListener = () => undefined) {}

  /** @param model in the provider's own form */
  learntFor(model: string): ReadonlySet<string> {
    return this.models.get(model) ?? new Set();
  }

  add(model: string, changes: readonly string[]): void {
    const known = this.learntFor(model);
    if (changes.every((name) => known.has(name)) || model.length > MAX_MODEL_ID) return;
    if (this.models.size >= MAX_ADAPTED_MODELS && !this.models.has(model)) return;
    const all = [...new Set([...known, ...changes])].slice(-MAX_CHANGES);
    this.models.set(model, new Set(all));
    this.onLearnt(model, all);
  }

  /** Replaces all of them by those that are stored. */
  replace(stored: Readonly<Record<string, readonly string[]>>): void {
    this.models = new Map(Object.entries(stored).map(([model, changes]) => [model, new Set(changes)]));
  }
}
