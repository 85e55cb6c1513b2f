import type { ProviderEvent } from '../../provider.js';

/** Tokens with which models end an answer, and which some servers send as its last text. */
const TOKENS: readonly string[] = [
  ...['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>', '<|end_of_turn|>', '<|eot|>'],
  ...['<end_of_turn>', '<|end|>', '<|return|>', '<|call|>', '<|user|>', '<|observation|>', '<｜end▁of▁sentence｜>'],
];
const LONGEST = Math.max(...TOKENS.map((token) => token.length));

/** White space behind a token that is held back with it. */
const MAX_SPACE = 200;

/** After a blank, a quote or a bracket, a token is spoken of. */
const SPEAKS_OF_TOKEN = /[ \t"'`“”‘’«([{]$/;

/** Drops a token at the very end of the text of an answer. Elsewhere it is text. */
export class StopTokens {
  private held = '';
  /** The last text that was passed on. */
  private last = '';

  push(events: readonly ProviderEvent[]): ProviderEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'text-delta') {
        if (this.held !== '' || event.text.includes('<')) return this.read(event.text);
        this.last = event.text;
        return event;
      }
      if (event.type !== 'finish' && event.type !== 'tool-call') return [event];
      const { held } = this;
      this.held = '';
      // An answer that is cut has not ended with a token of its own.
      const isCut = event.type === 'finish' && event.reason === 'length';
      return !isCut && TOKENS.includes(held.trimEnd()) ? [event] : [...this.text(held), event];
    });
  }

  private read(delta: string): ProviderEvent[] {
    const text = this.held + delta;
    const from = this.beginOfToken(text);
    this.held = text.slice(from);
    return this.text(text.slice(0, from));
  }

  /** Where the last text may be a token, or the beginning of one; its length when it is not. */
  private beginOfToken(text: string): number {
    const trimmed = text.trimEnd();
    if (text.length - trimmed.length > MAX_SPACE) return text.length;
    const at = trimmed.indexOf('<', Math.max(0, trimmed.length - LONGEST));
    for (let from = at; from !== -1; from = trimmed.indexOf('<', from + 1)) {
      const end = trimmed.slice(from);
      const isWhole = TOKENS.includes(end);
      const isBegun = trimmed.length === text.length && TOKENS.some((token) => token.startsWith(end));
      if ((isWhole || isBegun) && !SPEAKS_OF_TOKEN.test(text[from - 1] ?? this.last.slice(-1))) return from;
    }
    return text.length;
  }

  private text(text: string): ProviderEvent[] {
    if (text === '') return [];
    this.last = text;
    return [{ type: 'text-delta', text }];
  }
}
