import type { ErrorBody } from '@tanya/contract';
import { ApiError } from '../../../app/api/api-error';
import { aiMessage } from './chat-fixtures';
import { flush, openHarness, started } from './chat-client-harness';
import { isWithdrawable } from './is-withdrawable';
import { createOutbox, type PendingSend } from './outbox-store';
import { trackChange } from './thread-changes';

test('a send without a connection goes out with the same id on the next connection', async () => {
  const { socket, outbox, send } = openHarness();
  socket.connected = false;
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  const id = outbox.all()[0]?.clientMessageId;
  expect(outbox.all()[0]?.state).toBe('waiting');
  expect(socket.calls).toEqual([]);
  socket.connect();
  await flush();
  expect(socket.called('generation:start')[0]?.payload.clientMessageId).toBe(id);
  expect(outbox.all()).toEqual([]);
});

test('a send that would close the connection fails at once and is not sent', async () => {
  const { socket, outbox, chatClient } = openHarness();
  const content = { text: 'x'.repeat(400_000) };
  chatClient.send({ conversation: 'draft', threadId: null, model: 'openai/gpt-4o-mini', content });
  await flush();
  expect(outbox.all()).toMatchObject([{ state: 'failed', error: { code: 'too_large' } }]);
  expect(socket.calls).toEqual([]);
});

test('a send that a node refuses because it shuts down goes out over another connection', async () => {
  const { socket, outbox, send } = openHarness();
  const refusal = { statusCode: 503, code: 'shutting_down', message: 'Restarting', retryable: true, requestId: 'r' };
  socket.handlers['generation:start'] = () => {
    throw ApiError.fromBody(refusal as ErrorBody);
  };
  send();
  await flush();
  expect(outbox.all()).toMatchObject([{ state: 'waiting' }]);
  expect(socket.reconnects).toBe(1);
  socket.handlers['generation:start'] = () => started();
  socket.connect();
  await flush();
  const [first, second] = socket.called('generation:start');
  expect(second?.payload.clientMessageId).toBe(first?.payload.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

describe('a send that waits for a connection', () => {
  const sendAsUser1 = (page: ReturnType<typeof openHarness>) => {
    page.owner.change('user:1');
    page.socket.connected = false;
    page.socket.handlers['generation:start'] = () => started();
    page.send();
    return page.outbox.all() as [PendingSend];
  };

  it.each(['guest', 'user:2'] as const)('is not sent while the page shows another owner (%s)', async (other) => {
    const page = openHarness();
    sendAsUser1(page);
    page.owner.change(other);
    page.socket.connect();
    await flush();
    expect(page.socket.calls).toEqual([]);
    expect(page.outbox.all()).toMatchObject([{ owner: 'user:1', state: 'waiting' }]);
  });

  it('goes out when the page shows its owner again', async () => {
    const page = openHarness();
    const [{ clientMessageId }] = sendAsUser1(page);
    page.owner.change('guest');
    page.socket.connect();
    page.owner.change('user:1');
    page.socket.connect();
    await flush();
    expect(page.socket.called('generation:start')).toMatchObject([{ payload: { clientMessageId } }]);
    expect(page.outbox.all()).toEqual([]);
  });

  it('is not retried as another owner after a connection loss', async () => {
    const page = openHarness();
    page.owner.change('user:1');
    page.socket.handlers['generation:start'] = () => {
      page.owner.change('guest');
      throw ApiError.network();
    };
    page.send();
    await flush();
    expect(page.socket.called('generation:start')).toHaveLength(1);
    expect(page.outbox.all()).toMatchObject([{ owner: 'user:1', state: 'waiting' }]);
  });

  it('of a guest goes out after the login and belongs to the user', async () => {
    const { socket, owner, outbox, send } = openHarness();
    socket.connected = false;
    send();
    owner.change('user:1');
    socket.handlers['generation:start'] = () => new Promise(() => undefined);
    socket.connect();
    await flush();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toMatchObject([{ owner: 'user:1' }]);
  });

  it('stays until the session is loaded', async () => {
    const { socket, owner, outbox, send } = openHarness();
    owner.change(null);
    socket.handlers['generation:start'] = () => started();
    send();
    await flush();
    expect(socket.calls).toEqual([]);
    expect(owner.loads).toBe(1);
    owner.change('user:1');
    await flush();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toEqual([]);
  });
});

test('a send whose ack was lost with the connection is retried with the same id', async () => {
  const { socket, outbox, send } = openHarness();
  socket.handlers['generation:start'] = () => {
    socket.connected = false;
    throw ApiError.network();
  };
  send();
  await flush();
  expect(outbox.all()[0]?.state).toBe('waiting');
  socket.handlers['generation:start'] = () => started({ duplicate: true, aiMessage: aiMessage(2, 1) });
  socket.connect();
  await flush();
  const [first, second] = socket.called('generation:start');
  expect(second?.payload.clientMessageId).toBe(first?.payload.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

describe('a send can be withdrawn', () => {
  const withdrawable = ({ outbox }: ReturnType<typeof openHarness>) => outbox.all().map(isWithdrawable);
  const refuse = (code: string) => () => {
    throw ApiError.fromBody({ statusCode: 409, code, message: 'No', retryable: true, requestId: 'r' } as ErrorBody);
  };

  it('before a request has gone out', async () => {
    const page = openHarness();
    page.socket.connected = false;
    page.send();
    await flush();
    expect(withdrawable(page)).toEqual([true]);
  });

  it('after a refusal', async () => {
    const page = openHarness();
    page.socket.handlers['generation:start'] = refuse('quota_exceeded');
    page.send();
    await flush();
    expect(withdrawable(page)).toEqual([true]);
  });

  it.each(['storage_unavailable', 'internal'])('not after a failure that may follow its storage (%s)', async (code) => {
    const page = openHarness();
    page.socket.handlers['generation:start'] = refuse(code);
    page.send();
    await flush();
    expect(page.outbox.all()).toMatchObject([{ state: 'failed', error: { code } }]);
    expect(withdrawable(page)).toEqual([false]);
  });

  it('not while the answer to its request is missing, until a retry with the same id is answered', async () => {
    const page = openHarness();
    page.socket.handlers['generation:start'] = () => {
      page.socket.connected = false;
      throw ApiError.network();
    };
    page.send();
    await flush();
    expect(withdrawable(page)).toEqual([false]);
    expect(createOutbox().all().map(isWithdrawable)).toEqual([false]);
    page.socket.handlers['generation:start'] = refuse('thread_busy');
    page.socket.connect();
    await flush();
    expect(withdrawable(page)).toEqual([true]);
  });

  it('not after a timeout, nor after a refusal that precedes the search for the first request', async () => {
    const page = openHarness();
    page.socket.handlers['generation:start'] = () => {
      throw ApiError.timeout();
    };
    page.send();
    await flush();
    expect(page.outbox.all()).toMatchObject([{ state: 'failed', error: { code: 'timeout' } }]);
    expect(withdrawable(page)).toEqual([false]);
    page.socket.handlers['generation:start'] = refuse('rate_limited');
    page.chatClient.retry(page.outbox.all()[0]!.clientMessageId);
    await flush();
    expect(page.outbox.all()).toMatchObject([{ state: 'failed', error: { code: 'rate_limited' } }]);
    expect(withdrawable(page)).toEqual([false]);
  });
});

test('the outbox survives a reload of the page', async () => {
  const { socket, outbox, send } = openHarness();
  socket.handlers['generation:start'] = () => new Promise(() => undefined);
  send();
  await flush();
  const reloaded = createOutbox();
  expect(reloaded.all()).toEqual([{ ...outbox.all()[0], state: 'waiting' }]);
});

test('a message that a page of an earlier version has queued waits for the end of the answer', async () => {
  const { socket, outbox, send } = openHarness();
  socket.connected = false;
  send();
  await flush();
  const [{ state: _, ...sent }] = outbox.all() as [PendingSend];
  const earlier = [
    { ...sent, state: 'waiting', isQueued: true },
    { ...sent, state: 'failed', isQueued: false },
  ];
  sessionStorage.setItem('tanya.outbox', JSON.stringify({ state: { pending: earlier }, version: 0 }));
  expect(createOutbox().all()).toEqual([
    { ...sent, state: 'queued' },
    { ...sent, state: 'failed' },
  ]);
});

test('a retry is sending while it waits for a change of its thread alone', async () => {
  const { socket, outbox, chatClient } = openHarness();
  const send = (threadId: number) =>
    chatClient.send({ conversation: String(threadId), threadId, model: 'm', content: { text: 'halo' } });
  socket.handlers['generation:start'] = () => {
    throw ApiError.timeout();
  };
  send(1);
  await flush();
  expect(outbox.all()).toMatchObject([{ state: 'failed' }]);
  socket.calls.length = 0;
  socket.handlers['generation:start'] = () => new Promise(() => undefined);
  let store: () => void = () => undefined;
  void trackChange(1, new Promise<void>((resolve) => (store = resolve)));
  chatClient.retry(outbox.all()[0]!.clientMessageId);
  expect(outbox.all()).toMatchObject([{ state: 'sending', error: null }]);
  send(2);
  expect(socket.calls).toMatchObject([{ payload: { threadId: 2 } }]);
  store();
  await flush();
  expect(socket.calls).toMatchObject([{ payload: { threadId: 2 } }, { payload: { threadId: 1 } }]);
});
