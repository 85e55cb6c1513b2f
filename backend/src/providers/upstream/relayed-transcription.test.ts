import { relayedTranscription } from './relayed-transcription.js';

const JSON_FORM = { isJson: true, type: 'application/json' };

describe('relayedTranscription', () => {
  it('returns JSON unchanged, with the reported tokens', async () => {
    const body = '{"text":"Hello","usage":{"type":"tokens","input_tokens":14,"output_tokens":2,"total_tokens":16}}';
    expect(await relayedTranscription(body, JSON_FORM)).toEqual({
      body,
      usage: { promptTokens: 14, completionTokens: 2 },
    });
  });

  it.each(['{"text":""}', '{"text":"a","usage":{"type":"duration","seconds":3}}'])(
    'has no usage for %s',
    async (body) => {
      expect(await relayedTranscription(body, JSON_FORM)).toEqual({ body, usage: null });
    },
  );

  it.each(['', '[]', 'null', '{"text":1}', '{"error":{}}', '{"text":"cut', '<html>'])('refuses %s', async (body) => {
    await expect(relayedTranscription(body, JSON_FORM)).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('takes no error of status 200 for a text', async () => {
    const form = { isJson: false, type: 'text/plain' };
    for (const body of ['{"error":{"message":"boom"}}', ' {"detail":"boom"}', '<html><body>', '\ufeff<!DOCTYPE html>'])
      await expect(relayedTranscription(body, form)).rejects.toMatchObject({ code: 'provider_error' });
    for (const body of ['{"text":"Hello"}', '{"text":"Hello","message":"done"}', '{ he said', '<b>'])
      expect(await relayedTranscription(body, form)).toEqual({ body, usage: null });
  });

  it('tells an error of status 200 by its words, as in the other calls', async () => {
    for (const [error, code] of [
      ['data_inspection_failed', 'provider_refused'],
      [{ message: 'Incorrect API key provided' }, 'provider_auth'],
      [{ message: 'boom', code: 500 }, 'provider_error'],
    ]) {
      const failure = await relayedTranscription(JSON.stringify({ error }), JSON_FORM).catch(
        (thrown: unknown) => thrown,
      );
      expect(failure).toMatchObject({ code });
      // It would be repeated.
      if (code === 'provider_error') expect(failure).toHaveProperty('status', undefined);
    }
  });

  it('takes a text or JSON that is called a page for what it is', async () => {
    const type = 'text/html; charset=utf-8';
    expect((await relayedTranscription('{"text":"Hello"}', { isJson: true, type })).body).toBe('{"text":"Hello"}');
    expect((await relayedTranscription('Hello', { isJson: false, type })).body).toBe('Hello');
    for (const isJson of [true, false])
      await expect(relayedTranscription('\n<head><title>502</title>', { isJson, type })).rejects.toMatchObject({
        fault: 'html',
      });
  });

  it('leaves out a byte order mark', async () => {
    expect((await relayedTranscription('\ufeff{"text":"a"}', JSON_FORM)).body).toBe('{"text":"a"}');
  });

  it('returns text without NUL and refuses HTML', async () => {
    const form = { isJson: false, type: 'text/plain; charset=utf-8' };
    expect(await relayedTranscription('Hel\0lo\n', form)).toEqual({ body: 'Hello\n', usage: null });
    await expect(relayedTranscription('<p>', { ...form, type: 'text/html' })).rejects.toThrow();
  });
});
