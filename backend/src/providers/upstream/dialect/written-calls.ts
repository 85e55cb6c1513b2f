import type { ProviderEvent, ProviderEventListener, ProviderTool } from '../../provider.js';
import { CALL_OPENINGS, callsInText, mayBeCalls } from './call-texts.js';

/** Characters of calls that are read; a longer text is passed on. */
const MOST_HELD = 64 * 1024;

/** Characters after which a held text is judged. It is judged again once it is longer by these, and by a quarter. */
const JUDGED = 200;

/** Lines of an answer that are read for calls, each in up to 1 µs. */
const MOST_LINES = 10_000;

const MAY_BEGIN = new Set(CALL_OPENINGS.map((opening) => opening[0]));
const LONGEST = Math.max(...CALL_OPENINGS.map((opening) => opening.length));

/** Characters of a line that tell whether it begins or ends a block of code. */
const LINE = 200;
const FENCE = /^([\s>]*(?:(?:[*+-]|\d{1,9}[.)])\s+)?)(`{3,}|~{3,})/;

/** Reads a text in Markdown line by line, for the places where a call may begin: examples in code and in sentences are none. */
class CallPlaces {
  private line = '';
  private lines = 0;
  private fence = '';
  private fenceIndent = 0;

  /** Whether a call may begin here: as the first thing of a line outside of code. Some servers begin an answer with a blank. */
  get isHere(): boolean {
    return (
      this.lines <= MOST_LINES &&
      this.fence === '' &&
      (this.line === '' || (this.lines === 0 && /^ {1,3}$/.test(this.line)))
    );
  }

  /** Reads a text up to the next place. @returns the number of characters before it, or of all */
  readOn(text: string): number {
    if (this.lines > MOST_LINES) return text.length;
    const blanks = this.lines === 0 && this.line === '' ? / {0,3}/y.exec(text)![0].length : 0;
    const end = text.indexOf('\n') + 1;
    const length = blanks || end || text.length;
    this.line += text.slice(0, Math.min(length, LINE - this.line.length));
    if (length === end) this.endLine();
    return length;
  }

  private endLine(): void {
    const [begin = '', before = '', mark = ''] = (this.line.length > 3 ? FENCE.exec(this.line) : null) ?? [];
    const info = this.line.slice(begin.length);
    const mayEnd = info.trim() === '' && /^[\s>]*$/.test(before) && before.length <= this.fenceIndent + 3;
    if (this.fence === '') {
      this.fence = mark.startsWith('`') && info.includes('`') ? '' : mark;
      this.fenceIndent = before.length;
    } else if (mayEnd && mark.startsWith(this.fence)) this.fence = '';
    this.line = '';
    this.lines += 1;
  }
}

/**
 * Turns calls that a model has written into its text into calls, as of servers that do not read the tokens of the model. The text
 * from the first opening on is held back until the end of the answer, or until it cannot be calls of the offered tools and
 * nothing else.
 */
class WrittenCalls {
  private held = '';
  private isHolding = false;
  /** Whether text is passed on as it comes: after real calls, and after what looked like some. */
  private isOff = false;
  private hasCalls = false;
  private places = new CallPlaces();
  private nextJudged = JUDGED;

  constructor(private readonly tools: readonly ProviderTool[]) {}

  push(events: readonly ProviderEvent[]): ProviderEvent[] {
    return events.flatMap((event) => {
      switch (event.type) {
        case 'text-delta':
          return this.isOff ? [event] : this.read(this.held + event.text);
        case 'finish':
          return this.end(event);
        case 'text-was-reasoning':
          return [...this.restart(), event];
        case 'tool-call-delta':
        case 'tool-call':
          this.hasCalls = true;
          return [...this.release(), event];
        default:
          return [event];
      }
    });
  }

  /** Passes on what is held. */
  release(): ProviderEvent[] {
    this.isOff = true;
    return textOf(this.drop());
  }

  private read(text: string): ProviderEvent[] {
    if (this.isHolding) return this.hold(text);
    let from = 0;
    while (from < text.length) {
      if (MAY_BEGIN.has(text[from]) && this.places.isHere) {
        const rest = text.slice(from, from + LONGEST);
        this.isHolding = CALL_OPENINGS.some((opening) => rest.startsWith(opening));
        if (this.isHolding) return [...textOf(text.slice(0, from)), ...this.hold(text.slice(from))];
        if (CALL_OPENINGS.some((opening) => opening.startsWith(rest))) break;
      }
      from += this.places.readOn(text.slice(from));
    }
    this.held = text.slice(from);
    return textOf(text.slice(0, from));
  }

  /** Keeps a text that may be calls. */
  private hold(text: string): ProviderEvent[] {
    this.held = text;
    if (text.length > MOST_HELD) return this.release();
    if (text.length < this.nextJudged) return [];
    this.nextJudged = text.length + Math.max(JUDGED, text.length / 4);
    return mayBeCalls(text, this.tools) ? [] : this.release();
  }

  /** Begins again after a text that was reasoning. */
  private restart(): ProviderEvent[] {
    const passed = this.release();
    this.isOff = this.hasCalls;
    this.places = new CallPlaces();
    return passed;
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

  private drop(): string {
    const { held } = this;
    this.held = '';
    this.isHolding = false;
    this.nextJudged = JUDGED;
    return held;
  }
}

const textOf = (text: string): ProviderEvent[] => (text === '' ? [] : [{ type: 'text-delta', text }]);

/**
 * A listener whose answers have the calls of their text as calls. Its batch is empty while all is held.
 * @returns the listener, and what passes on the text that is held where the answer fails
 */
export function readingCalls(
  tools: readonly ProviderTool[],
  onEvents: ProviderEventListener,
): { listener: ProviderEventListener; release(): void } {
  const calls = new WrittenCalls(tools);
  return {
    listener: (events) => onEvents(calls.push(events)),
    release: () => {
      const held = calls.release();
      if (held.length > 0) onEvents(held);
    },
  };
}
