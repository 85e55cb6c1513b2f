import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@tanya/contract';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../errors/app-error.js';
import { tooLarge } from '../errors/error-body.js';
import { CLIENT_JSON, type JsonBounds, JsonScan } from '../json/json-scan.js';
import { ArrivingBody, type BodyPace } from './arriving-body.js';
import type { BodyTurn } from './large-bodies.js';
import { StreamedJson } from '../json/streamed-json.js';

export interface BodyBounds extends JsonBounds {
  bytes: number;
}

/** Bodies above this are large: they wait for their turn and are parsed in slices. */
const LARGE_BYTES = LIMITS.jsonBytes;

/** Smaller bodies with more values than this are parsed in slices too: 200,000 of them take 0.1 s. */
const MANY_VALUES = CLIENT_JSON.values;

/** Bounds of the bodies of all routes but those that read a large one themselves. */
const SMALL_BODY: BodyBounds = { bytes: LIMITS.jsonBytes, ...CLIENT_JSON };

interface LargeBodyOptions {
  pace: BodyPace;
  /** Waits for the turn of a body that turns out to be large. */
  enter: () => Promise<BodyTurn>;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Reads a body of JSON: its bytes are counted and its values scanned as they arrive, before anything is parsed.
 * @param large null where a large body is beyond the bounds
 * @returns undefined without a body of JSON
 * @throws AppError `too_large`, `invalid`, `unsupported_type`, `request_timeout`; JsonTooLarge
 */
export async function readJsonBody(
  request: Request,
  bounds: BodyBounds,
  large: LargeBodyOptions | null = null,
): Promise<object | undefined> {
  if (!request.is('application/json')) return undefined;
  requireUtf8(request);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bounds.bytes) throw tooLarge(bounds.bytes, 'bytes');
  const reader = new JsonReader(new ArrivingBody(request), bounds, large);
  const value = await reader.read(declared > LARGE_BYTES);
  if (typeof value !== 'object' || value === null) throw new AppError('invalid', { reason: 'no_json' });
  return value;
}

/** The JSON middleware of the routes with small bodies. @param readsItself routes that read their body in a controller */
export function readSmallBodies(readsItself: RegExp): RequestHandler {
  return (request, _response, next) => {
    if (readsItself.test(request.path)) return next();
    readJsonBody(request, SMALL_BODY).then(
      (body) => {
        request.body = body;
        next();
      },
      (error: unknown) => next(error),
    );
  };
}

function requireUtf8({ headers }: IncomingMessage): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw new AppError('unsupported_type', { reason: 'charset' });
}

/** Reads one body. It begins as a small one, and becomes a large one when its size shows it. */
class JsonReader {
  private readonly scan: JsonScan;
  private pieces: Buffer[] = [];
  private size = 0;
  private streamed: StreamedJson | null = null;
  private turn: BodyTurn | null = null;

  constructor(
    private readonly body: ArrivingBody,
    private readonly bounds: BodyBounds,
    private readonly large: LargeBodyOptions | null,
  ) {
    this.scan = new JsonScan(bounds);
  }

  async read(isLarge: boolean): Promise<unknown> {
    try {
      if (isLarge) await this.becomeLarge();
      for await (const piece of this.body.pieces()) await this.add(piece);
      return await this.parsed();
    } finally {
      this.turn?.endReading(this.size);
    }
  }

  private async add(piece: Buffer): Promise<void> {
    this.size += piece.length;
    if (this.size > this.bounds.bytes) throw tooLarge(this.bounds.bytes, 'bytes');
    this.scan.writeBytes(piece);
    if (this.streamed === null && this.size > LARGE_BYTES) await this.becomeLarge();
    if (this.streamed === null) this.pieces.push(piece);
    else await this.parse(piece);
  }

  private async becomeLarge(): Promise<void> {
    if (this.large === null) throw tooLarge(this.bounds.bytes, 'bytes');
    this.turn = await this.large.enter();
    this.body.requirePace(this.large.pace);
    this.streamed = new StreamedJson();
    const { pieces } = this;
    this.pieces = [];
    for (const piece of pieces) await this.parse(piece);
  }

  private async parse(piece: Buffer): Promise<void> {
    try {
      await this.streamed!.write(piece);
    } catch (error) {
      throw new AppError('invalid', { reason: 'no_json', cause: error });
    }
  }

  private async parsed(): Promise<unknown> {
    try {
      if (this.streamed !== null) return this.streamed.end();
      const bytes = Buffer.concat(this.pieces);
      const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      const json = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
      if (json.length === 0) return {};
      return this.scan.values > MANY_VALUES ? await streamed(json) : (JSON.parse(json.toString()) as unknown);
    } catch (error) {
      throw new AppError('invalid', { reason: 'no_json', cause: error });
    }
  }
}

async function streamed(json: Buffer): Promise<unknown> {
  const parser = new StreamedJson();
  await parser.write(json);
  return parser.end();
}
