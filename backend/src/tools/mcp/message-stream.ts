import { StringDecoder } from 'node:string_decoder';
import type { EventSourceMessage } from 'eventsource-parser';
import { type JsonBounds, JsonScan } from '../../platform/json/json-scan.js';
import { createEventParser } from '../../platform/net/event-parser.js';
import { LineEnds } from '../../platform/net/line-ends.js';
import {
  type AskedRequest,
  isAnswer,
  isAsTaken,
  parseJson,
  readMessages,
  type RpcMessage,
  tellOfLostSession,
} from './rpc-messages.js';

/** Characters of an event without an end that is read, as servers leave out the line that ends it. */
const LONGEST_OPEN_EVENT = 1_000_000;

/** Times that such an event is read before it is whole. */
const MOST_READINGS = 20;

/** Whether an event may have more than notifications, which nothing here reads. An answer may lack its id. */
const mayBeRead = (data: string): boolean => ['"id"', '"result"', '"error"'].some((name) => data.includes(name));

interface WrittenMessage {
  json: string;
  isLast: boolean;
}

const written = (message: RpcMessage): WrittenMessage => ({ json: JSON.stringify(message), isLast: isAnswer(message) });

/**
 * Reads a server's stream of events, and writes the messages in it as the client takes them. Events of any name are read,
 * and those that are no message are skipped; the ids that a stream is resumed with are kept.
 */
export class MessageStream {
  /** Whether the request has been answered: nothing after that is read. */
  isAnswered = false;
  /** Whether the server has answered that it does not have the session. */
  isSessionLost = false;
  /** Whether the stream can be resumed where it ends. */
  isResumable = false;
  private readonly bytes = new StringDecoder('utf8');
  private readonly lineEnds = new LineEnds();
  private readonly parser = createEventParser({
    onEvent: (event) => this.readEvent(event),
    onRetry: (milliseconds) => void (this.written += `retry: ${milliseconds}\n\n`),
  });
  private isBegun = false;
  /** The pieces of the event that has not ended, which are joined only to be read: a server may send each byte alone. */
  private open: string[] = [];
  private openLength = 0;
  private endsInLine = false;
  private readings = 0;
  private written = '';

  /**
   * @param bounds of each event
   * @param resumedAt the last event before the stream, which it can be resumed after again; undefined for a stream that cannot be
   *   resumed
   */
  constructor(
    private readonly asked: AskedRequest,
    private readonly bounds: JsonBounds,
    private readonly resumedAt?: string | null,
  ) {
    if (!resumedAt) return;
    this.isResumable = true;
    this.written = `id: ${resumedAt}\ndata: \n\n`;
  }

  /** @returns the events for the client that a piece of the stream has completed @throws JsonTooLarge */
  push(chunk: Buffer): string {
    const text = this.bytes.write(chunk);
    const begun = this.isBegun ? text : text.replace(/^\uFEFF/, '');
    this.isBegun ||= text !== '';
    this.feed(this.lineEnds.pass(begun));
    if (this.isWholeMessage()) this.feed('\n\n');
    return this.take();
  }

  /** The events at the end of the stream: the last one may lack the line that ends it. */
  end(): string {
    this.feed(`${this.lineEnds.end()}${this.bytes.end()}\n\n`);
    return this.take();
  }

  private feed(lines: string): void {
    const text = this.endsInLine ? `\n${lines}` : lines;
    const end = text.lastIndexOf('\n\n');
    if (end !== -1) [this.open, this.openLength] = [[], 0];
    const rest = end === -1 ? lines : text.slice(end + 2);
    this.openLength += rest.length;
    if (rest !== '' && this.mayReadOpen) this.open.push(rest);
    if (lines !== '') this.endsInLine = lines.endsWith('\n');
    if (!this.isAnswered) this.parser.feed(lines);
  }

  private get mayReadOpen(): boolean {
    return this.openLength <= LONGEST_OPEN_EVENT && this.readings < MOST_READINGS;
  }

  /** Whether the open event is whole but for its end. Such a server keeps the connection open and sends nothing more. */
  private isWholeMessage(): boolean {
    if (!this.mayReadOpen || this.open.at(-1)?.trimEnd().endsWith('}') !== true) return false;
    this.readings += 1;
    const open = this.open.join('').trimEnd();
    const start = open.indexOf('data:');
    if (start === -1) return false;
    return this.messagesIn(open.slice(start).replace(/^data: ?/gm, '')).some(({ isLast }) => isLast);
  }

  private readEvent({ id, data }: EventSourceMessage): void {
    if (this.isAnswered) return;
    const hasPlace = Boolean(id) && this.resumedAt !== undefined;
    this.isResumable ||= hasPlace;
    const place = hasPlace ? `id: ${id}\n` : '';
    const messages = mayBeRead(data) ? this.messagesIn(data) : [];
    if (messages.length === 0 && place !== '') this.written += `${place}data: \n\n`;
    for (const { json, isLast } of messages) {
      this.written += `${place}data: ${json}\n\n`;
      this.isAnswered ||= isLast;
    }
  }

  private messagesIn(data: string): WrittenMessage[] {
    new JsonScan(this.bounds).write(data);
    try {
      const parsed = parseJson(data);
      if (isAsTaken(parsed, this.asked) && !data.includes('\n')) return [{ json: data, isLast: true }];
      this.isSessionLost ||= tellOfLostSession(parsed.values, this.asked);
      return readMessages(parsed.values, this.asked).map(written);
    } catch {
      // Servers send greetings and times between the messages.
      return [];
    }
  }

  private take(): string {
    const { written } = this;
    this.written = '';
    return written;
  }
}
