import type { ProviderEvent, ProviderEventListener, ProviderTool } from '../../provider.js';
import { CALL_OPENINGS, callsInText } from './call-texts.js';

/** Characters of calls that are read; a longer text is passed on. */
const MOST_HELD = 64 * 1024;

const MAY_BEGIN = /[<[]/;
const LONGEST = Math.max(...CALL_OPENINGS.map((opening) => opening.length));

/** After a quote or a bracket, an opening is spoken of. */
const SPEAKS_OF_OPENING = /["'`“”‘’«([{]$/;

/** Characters after which a text that is held has to look like a call: what follows the opening, which may be followed by another. */
const JUDGED = 200;
const LOOKS_LIKE_CALL =
  /^(?:<function=|<invoke name=)|^\S{1,40}\s{0,20}(?:[{[]|```|<(?:function=|(?:｜DSML｜)?invoke |\||｜)|[\w.:-]{1,128}\s{0,9}(?:\{|\[|<))/;

/**
 * Turns calls that a model has written into its text into calls, as of servers that do not read the tokens of the model. The text
 * from the first opening on is held back until the end of the answer: it has to be calls of the offered tools, and nothing else.
 */
class WrittenCalls {
  private held = '';
  private isHolding = false;
  /** Whether text is passed on as it comes: after real calls, and after what looked like some. */
  private isOff = false;
  /** The last characters that were passed on. */
  private before = '';
  private isInCode = false;

  constructor(private readonly tools: readonly ProviderTool[]) {}

  push(events: readonly ProviderEvent[]): ProviderEvent[] {
    if (this.isOff) return [...events];
    return events.flatMap((event) => {
      if (event.type === 'text-delta') return this.read(event.text);
      if (event.type === 'finish') return this.end(event);
      if (event.type === 'text-was-reasoning') return [...this.pass(this.drop()), event];
      return event.type === 'tool-call-delta' || event.type === 'tool-call' ? [...this.release(), event] : [event];
    });
  }

  private read(delta: string): ProviderEvent[] {
    if (this.isOff || (this.held === '' && !MAY_BEGIN.test(delta))) return this.pass(delta);
    const text = this.held + delta;
    if (this.isHolding) return this.hold(text);
    const at = this.openingIn(text);
    if (at === -1) {
      const end = text.length - beginningOfOpening(text);
      this.held = text.slice(end);
      return this.pass(text.slice(0, end));
    }
    const passed = this.pass(text.slice(0, at));
    this.isHolding = true;
    return [...passed, ...this.hold(text.slice(at))];
  }

  /** Keeps a text that may be calls. */
  private hold(text: string): ProviderEvent[] {
    const isJudged = this.held.length < JUDGED && text.length >= JUDGED;
    this.held = text;
    return text.length > MOST_HELD || (isJudged && !LOOKS_LIKE_CALL.test(text)) ? this.release() : [];
  }

  private openingIn(text: string): number {
    const places = CALL_OPENINGS.map((opening) => text.indexOf(opening)).filter((at) => at !== -1);
    const at = Math.min(...places);
    const said = this.before + text.slice(0, at);
    const isSpokenOf = SPEAKS_OF_OPENING.test(said) || this.isInCode !== (fencesIn(said) % 2 === 1);
    return places.length === 0 || isSpokenOf ? -1 : at;
  }

  private end(event: Extract<ProviderEvent, { type: 'finish' }>): ProviderEvent[] {
    const calls = this.isHolding && event.reason === 'stop' ? callsInText(this.held, this.tools) : [];
    if (calls.length === 0) return [...this.release(), event];
    this.drop();
    const begun = calls.map(({ name, args }, index) => {
      const start = { id: null, name };
      return { type: 'tool-call-delta' as const, index, start, json: JSON.stringify(args) };
    });
    const whole = calls.map((call) => ({ type: 'tool-call' as const, id: null, ...call }));
    return [...begun, ...whole, { type: 'finish', reason: 'tool-calls' }];
  }

  private release(): ProviderEvent[] {
    this.isOff = true;
    return this.pass(this.drop());
  }

  private drop(): string {
    const { held } = this;
    this.held = '';
    this.isHolding = false;
    return held;
  }

  private pass(text: string): ProviderEvent[] {
    if (text === '') return [];
    if (text.includes('`') || this.before.endsWith('`')) {
      const said = this.before + text;
      if ((fencesIn(said) - fencesIn(this.before)) % 2 === 1) this.isInCode = !this.isInCode;
    }
    this.before = text.length > 2 ? text.slice(-2) : (this.before + text).slice(-2);
    return [{ type: 'text-delta', text }];
  }
}

const fencesIn = (text: string): number => text.match(/```/g)?.length ?? 0;

/** Number of characters at the end of a text that are the beginning of an opening. */
function beginningOfOpening(text: string): number {
  const end = text.slice(1 - LONGEST);
  for (let from = end.search(MAY_BEGIN); from !== -1 && from < end.length; from += 1)
    if (CALL_OPENINGS.some((opening) => opening.startsWith(end.slice(from)))) return end.length - from;
  return 0;
}

/** A listener whose answers have the calls of their text as calls. */
export function readingCalls(tools: readonly ProviderTool[], onEvents: ProviderEventListener): ProviderEventListener {
  const calls = new WrittenCalls(tools);
  return (events) => {
    const read = calls.push(events);
    if (read.length > 0) onEvents(read);
  };
}
