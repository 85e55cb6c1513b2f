import type { ProviderEvent } from '../../provider.js';

/** Tokens with which models end an answer, and which some servers send as its last text. */
const TOKENS: readonly string[] = [
  ...['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>', '<|end_of_turn|>', '<|eot|>'],
  ...['<end_of_turn>', '<|end|>', '<|return|>', '<|call|>', '<|user|>', '<|observation|>', '<｜end▁of▁sentence｜>'],
  // Gemma 4, Cohere, Ling, Seed-OSS, EXAONE, MiniMax.
  ...['<turn|>', '<|END_OF_TURN_TOKEN|>', '<|role_end|>', '<seed:eos>', '[|endofturn|]', '[e~['],
  ...['<eos>', '<|eos|>', '<|endofturn|>'],
  // Llama 2, Mistral and most others of their time; Hunyuan by vLLM.
  ...['</s>', '</answer>'],
];
const LONGEST = Math.max(...TOKENS.map((token) => token.length));

/** Tokens that are closing tags too: of HTML and XML, in which an opening one stands before. */
const IS_CLOSING = /^<\//;
const OPENING = /<(s|answer)[\s>]/i;
/** The beginning of an opening one at the end of a text. */
const OPENING_BEGUN = /<[a-z]{0,6}$/i;

/** The first character of a token. */
const FIRST = /[<[]/;

/** White space behind a token that is held back with it. */
const MAX_SPACE = 200;

/** After a blank, a quote or a bracket, a token is spoken of; so it is below a line that announces it, or begins its code. */
const SPEAKS_OF_TOKEN = /[ \t"'`“”‘’«([{]$|(?:[:：]|(?:^|\n)(?:```|~~~)[\w-]{0,20})[ \t]{0,4}\n\s{0,4}$/;
/** Servers send this one behind the last word: in a line of its own it is a tag, or what was asked for. */
const STRIKE = '</s>';
const IN_LINE_OF_ITS_OWN = /\n[ \t]{0,20}$/;
/** Characters before a token that tell, and pieces in which they are looked for. */
const BEFORE = 40;
const PIECES = 16;

/** Drops a token at the very end of the text of an answer. Elsewhere it is text. */
export class StopTokens {
  private held = '';
  /** The last pieces that were passed on, each in the place of the one so many before. */
  private readonly pieces: string[] = [];
  private passed = 0;
  private hasOpening = false;
  /** What was passed on of a tag that may be the opening one. */
  private tag = '';

  push(events: readonly ProviderEvent[]): ProviderEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'text-delta') {
        if (this.held !== '' || this.tag !== '' || FIRST.test(event.text)) return this.read(event.text);
        this.note(event.text);
        return event;
      }
      if (event.type !== 'finish' && event.type !== 'tool-call') return [event];
      const { held } = this;
      this.held = '';
      // An answer that is cut has not ended with a token of its own.
      const isCut = event.type === 'finish' && event.reason === 'length';
      return !isCut && this.isToken(held.trimEnd()) ? [event] : [...this.text(held), event];
    });
  }

  /** Whether a text is the token of its end, and no tag of HTML. */
  private isToken(text: string): boolean {
    if (!TOKENS.includes(text)) return false;
    if (text === STRIKE && IN_LINE_OF_ITS_OWN.test(this.last)) return false;
    return !IS_CLOSING.test(text) || (!this.hasOpening && this.last !== '');
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
    for (let from = Math.max(0, trimmed.length - LONGEST); from < trimmed.length; from += 1) {
      if (!FIRST.test(trimmed[from]!)) continue;
      const end = trimmed.slice(from);
      const isWhole = TOKENS.includes(end);
      const isBegun = trimmed.length === text.length && TOKENS.some((token) => token.startsWith(end));
      if ((isWhole || isBegun) && !SPEAKS_OF_TOKEN.test((this.last + text.slice(0, from)).slice(-BEFORE))) return from;
    }
    return text.length;
  }

  private note(text: string): void {
    this.pieces[this.passed % PIECES] = text;
    this.passed += 1;
  }

  /** The end of the text that was passed on, which is joined only where it is looked at. */
  private get last(): string {
    const at = this.passed % PIECES;
    return [...this.pieces.slice(at), ...this.pieces.slice(0, at)].map((piece) => piece.slice(-BEFORE)).join('');
  }

  private text(text: string): ProviderEvent[] {
    if (text === '') return [];
    this.note(text);
    const seen = this.tag + text;
    this.hasOpening ||= OPENING.test(seen);
    this.tag = OPENING_BEGUN.exec(seen)?.[0] ?? '';
    return [{ type: 'text-delta', text }];
  }
}
