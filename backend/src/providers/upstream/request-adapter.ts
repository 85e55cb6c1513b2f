import type { AdaptationMemory } from './adaptation-memory.js';
import type { ProviderError } from '../provider-error.js';
import { detailOfFailure, failureOf, isRefused } from './upstream-failure.js';
import type { Adaptation, Body } from './dialect/adaptation.js';
import { inOwnWords, isOfServer } from './dialect/own-names.js';
import { defaultAdaptations } from './dialect/refused-defaults.js';
import { FIELD_ADAPTATIONS } from './dialect/refused-fields.js';
import { MESSAGE_ADAPTATIONS } from './dialect/refused-messages.js';
import { TOOL_ADAPTATIONS } from './dialect/refused-tools.js';

/** In the order in which they are applied. */
const ADAPTATIONS: readonly Adaptation[] = [...FIELD_ADAPTATIONS, ...MESSAGE_ADAPTATIONS, ...TOOL_ADAPTATIONS];

/** Statuses of a refusal. Servers in Python fail with 500 at an argument that they do not know, or in their template. */
const STATUSES: readonly number[] = [400, 404, 415, 422, 500, 501];

/** The body of one request, changed as its server demands. Changes that a server asked for by name are remembered. */
export class RequestAdapter {
  private readonly changes: Set<string>;
  /** Those that are not remembered: tried without being named, or after a failure that is only that of this request. */
  private readonly guessed = new Set<string>();
  private readonly adaptations: readonly Adaptation[];

  /**
   * @param model of the request, in the provider's own form
   * @param defaults names of the parameters that the asker did not set
   */
  constructor(
    private readonly original: Body,
    private readonly model: string,
    private readonly memory: AdaptationMemory,
    defaults: readonly string[] = [],
  ) {
    this.changes = new Set(memory.learntFor(model));
    this.adaptations =
      defaults.length === 0 ? ADAPTATIONS : [...ADAPTATIONS, ...defaultAdaptations(defaults, original)];
  }

  get body(): Body {
    const due = this.adaptations.filter(({ name }) => this.changes.has(name));
    return due.reduce((body, adaptation) => adaptation.apply(body, this.changes), this.original);
  }

  /**
   * Sends the request, and again with each change that the server demands: each is made once, so this ends. Failures of the
   * server or the network repeat nothing here, see `withRetries`.
   * @param send sends `body`
   * @param isUnanswered false once a part of the answer has come, after which nothing is sent again
   */
  async untilAccepted<T>(send: () => Promise<T>, isUnanswered: () => boolean = () => true): Promise<T> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!isUnanswered() || !this.adaptTo(failureOf(error))) throw error;
      }
    }
  }

  /** Changes the body after a refusal. Each change happens once. @returns false when the request is not to be repeated */
  adaptTo(failure: ProviderError): boolean {
    const { body, changes } = this;
    const refusal = detailOfFailure(failure);
    const open = this.adaptations.filter(({ name }) => !changes.has(name));
    const named = STATUSES.includes(failure.status ?? 0)
      ? open.filter((adaptation) => adaptation.isNamed(refusal, body, changes))
      : [];
    const own = named.length > 0 ? inOwnWords(refusal, body) : null;
    const ofRequest = named.filter(
      (adaptation) =>
        failure.code === 'provider_context' ||
        (adaptation.isCostly === true && failure.code !== 'provider_refused') ||
        !isOfServer(adaptation, refusal, own, body, changes),
    );
    for (const { name } of ofRequest) this.guessed.add(name);
    for (const { name } of named) changes.add(name);
    if (named.length > 0) return true;
    const guess = isRefused(failure) ? open.find((adaptation) => adaptation.isPossible?.(body, refusal)) : undefined;
    if (guess === undefined) return false;
    changes.add(guess.name);
    this.guessed.add(guess.name);
    return true;
  }

  /** Makes one change, which the server needs though it has not refused the request. @returns false where it is made */
  change(name: string): boolean {
    const isNew = !this.changes.has(name);
    this.changes.add(name);
    return isNew;
  }

  /** Remembers the changes with which the server has taken the request. */
  remember(): void {
    this.memory.add(
      this.model,
      [...this.changes].filter((name) => !this.guessed.has(name)),
    );
  }
}
