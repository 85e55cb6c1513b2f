import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { trimOf } from '@tanya/contract';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { AppError } from '../../platform/errors/app-error.js';
import { isFileId } from '../file-name.js';
import type { ByteRange, FileStore, StoredBytes } from './file-store.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Timeout of a connection on which nothing moves: as long as that of an answer of which nothing leaves. */
const IDLE_TIMEOUT_MS = 60_000;

/** Connections at most. A download takes one for as long as its reader, and the default is 50. */
const AGENT = { maxSockets: 1_000 };

/**
 * Stores files in S3-compatible storage: `s3://bucket/prefix?region=…&endpoint=https://…&pathStyle=true`.
 *
 * Everything after the bucket is optional. `endpoint` is for storage other than Amazon's and turns on path-style URLs
 * unless `pathStyle=false`. Credentials come from the SDK's default chain (`AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`, profiles, instance roles), never from the URL. Required permissions: `s3:PutObject`,
 * `s3:GetObject`, `s3:DeleteObject` and `s3:ListBucket`.
 */
export class S3FileStore implements FileStore {
  private constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly prefix: string,
  ) {}

  static open(filesUrl: string, idleTimeoutMs = IDLE_TIMEOUT_MS): S3FileStore {
    const url = new URL(filesUrl);
    const endpoint = url.searchParams.get('endpoint') ?? undefined;
    const client = new S3Client({
      region: url.searchParams.get('region') ?? 'us-east-1',
      endpoint,
      forcePathStyle: (url.searchParams.get('pathStyle') ?? String(endpoint !== undefined)) === 'true',
      // Some S3-compatible storage rejects the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: idleTimeoutMs,
        httpAgent: AGENT,
        httpsAgent: AGENT,
      },
    });
    const prefix = trimOf(url.pathname, '/');
    return new S3FileStore(client, url.hostname, prefix === '' ? '' : `${prefix}/`);
  }

  async put(id: string, path: string): Promise<void> {
    const object = this.object(id);
    const { size } = await stat(path);
    const bytes = createReadStream(path);
    try {
      await this.client.send(new PutObjectCommand({ ...object, Body: bytes, ContentLength: size }));
    } finally {
      // After a failure the client leaves it open.
      bytes.destroy();
    }
  }

  async read(id: string, range?: ByteRange): Promise<Readable> {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.object(id), ...part }));
      return Body as Readable;
    } catch (error) {
      throw error instanceof NoSuchKey ? new AppError('not_found', { cause: error }) : error;
    }
  }

  async delete(id: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(id)));
  }

  async *list(): AsyncIterable<StoredBytes> {
    let token: string | undefined;
    do {
      const page = await this.client.send(
        new ListObjectsV2Command({ Bucket: this.bucket, Prefix: this.prefix, ContinuationToken: token }),
      );
      for (const { Key, LastModified } of page.Contents ?? []) {
        const id = Key?.slice(this.prefix.length) ?? '';
        if (isFileId(id) && LastModified) yield { id, modifiedAt: LastModified };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  private object(id: string): { Bucket: string; Key: string } {
    if (!isFileId(id)) throw new AppError('not_found');
    return { Bucket: this.bucket, Key: `${this.prefix}${id}` };
  }
}
