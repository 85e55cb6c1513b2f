import type { Logprobs } from '../store/generation-store.js';

/** Characters of JSON that one answer keeps: about 40,000 tokens with five alternatives. Further ones are left out. */
const MAX_CHARACTERS = 8_000_000;

/** The likelihoods of the tokens of one answer. */
export class LogprobList {
  private readonly content: unknown[] = [];
  private readonly refusal: unknown[] = [];
  private characters = 0;

  /** Adds likelihoods. @returns those within the bound */
  append({ content, refusal }: Logprobs): Logprobs {
    return { content: this.add(this.content, content), refusal: this.add(this.refusal, refusal) };
  }

  /** null without any. */
  get all(): Logprobs | null {
    const { content, refusal } = this;
    return content.length + refusal.length === 0 ? null : { content: [...content], refusal: [...refusal] };
  }

  private add(list: unknown[], added: readonly unknown[]): unknown[] {
    const kept = added.filter((entry) => {
      this.characters += JSON.stringify(entry).length;
      return this.characters <= MAX_CHARACTERS;
    });
    list.push(...kept);
    return kept;
  }
}
