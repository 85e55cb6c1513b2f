import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ProviderFile, Transcription } from '../../src/providers/provider.js';
import type { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import { freePort } from '../harness/free-port.js';
import { TRANSCRIPTS } from '../harness/scripted-answers.js';
import { connect, provider, upstream } from './provider-harness.js';

/** Larger than the buffers of a connection. */
const SIZE = 16 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 1);

const idle = new AbortController().signal;

/** A file that counts its readers and the chunks that were read. */
class CountedFile implements ProviderFile {
  readonly name = 'a "quoted" name.wav';
  readonly type = 'audio/wav';
  readonly size = SIZE;
  chunks = 0;
  opened = 0;
  closed = 0;

  async *open(): AsyncGenerator<Uint8Array> {
    this.opened += 1;
    try {
      for (let sent = 0; sent < SIZE; sent += CHUNK.length) {
        this.chunks += 1;
        yield CHUNK;
      }
    } finally {
      this.closed += 1;
    }
  }
}

const transcribe = (
  from: OpenAiCompatibleProvider,
  file: ProviderFile,
  { signal = idle, isJson = true } = {},
): Promise<Transcription> =>
  from.transcribe({ model: 'whisper-1', file, fields: [['language', 'id']], isJson }, signal);

it('sends the whole file with its length, and escapes its name', async () => {
  const file = new CountedFile();
  const { body, usage } = await transcribe(provider, file);
  expect([body, usage]).toEqual([TRANSCRIPTS['json'], { promptTokens: 14, completionTokens: 4 }]);
  const [call] = upstream.callsOf('transcriptions');
  expect(call!.body).toEqual({
    model: 'whisper-1',
    language: 'id',
    file: { name: file.name, type: 'audio/wav', size: SIZE },
  });
  expect(call!.headers).toMatchObject({ authorization: 'Bearer sk-secret-key' });
  expect(call!.headers['transfer-encoding']).toBeUndefined();
  expect([file.opened, file.closed]).toEqual([1, 1]);
});

it('reads the file again for a retry', async () => {
  const file = new CountedFile();
  upstream.script({ on: 'transcriptions', status: 500, body: '{}' });
  await transcribe(provider, file);
  expect([file.opened, file.closed, file.chunks]).toEqual([2, 2, (2 * SIZE) / CHUNK.length]);
});

it('refuses an answer that is not a transcript', async () => {
  upstream.script({ on: 'transcriptions', body: '<html>', headers: { 'content-type': 'text/html' } });
  await expect(transcribe(provider, new CountedFile(), { isJson: false })).rejects.toMatchObject({
    code: 'provider_error',
  });
});

describe('an upstream that does not read the whole upload', () => {
  let server: Server;
  let sockets: Socket[];
  let other: OpenAiCompatibleProvider;

  const start = async (onRequest: (socket: Socket) => void): Promise<void> => {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).once('data', () => onRequest(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    other = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  };

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await other.close();
  });

  it('and answers with a refusal is reported as the refusal', async () => {
    const body = '{"error":{"message":"Invalid file format."}}';
    await start((socket) => {
      socket.pause();
      socket.write(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
    });
    await expect(transcribe(other, new CountedFile())).rejects.toMatchObject({ code: 'provider_refused' });
  });

  it('and resets the connection fails after the retries, without an unhandled error', async () => {
    const file = new CountedFile();
    await start((socket) => socket.resetAndDestroy());
    await expect(transcribe(other, file)).rejects.toMatchObject({ code: 'provider_unreachable' });
    expect(file.opened).toBe(3);
    expect(file.closed).toBe(3);
  });

  it('and stalls gets no more of the file than the buffers hold, until the call is aborted', async () => {
    const file = new CountedFile();
    const controller = new AbortController();
    let stalled = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (stalled = resolve));
    await start((socket) => {
      socket.pause();
      stalled();
    });
    const call = transcribe(other, file, { signal: controller.signal });
    await arrived;
    controller.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
    expect(file.chunks).toBeLessThan(SIZE / CHUNK.length);
  });
});

it('fails for a refused connection', async () => {
  const closed = connect(`http://127.0.0.1:${await freePort()}/v1`);
  await expect(transcribe(closed, new CountedFile())).rejects.toMatchObject({ code: 'provider_unreachable' });
  await closed.close();
});
