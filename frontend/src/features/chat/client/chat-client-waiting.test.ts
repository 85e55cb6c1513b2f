import { ApiError } from '../../../app/api/api-error';
import { aiMessage } from './chat-fixtures';
import { settled, setUp, started } from './chat-client-fixtures';
import { createOutbox, type PendingSend } from './outbox-store';

test('a send without a connection goes out with the same id once there is one', async () => {
  const { socket, outbox, send } = setUp();
  socket.connected = false;
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  const id = outbox.all()[0]?.clientMessageId;
  expect(outbox.all()[0]?.state).toBe('waiting');
  expect(socket.calls).toEqual([]);
  socket.connect();
  await settled();
  expect(socket.called('generation:start')[0]?.payload.clientMessageId).toBe(id);
  expect(outbox.all()).toEqual([]);
});

describe('what waits for a connection', () => {
  const ofSari = (page: ReturnType<typeof setUp>) => {
    page.owner.become('user:1');
    page.socket.connected = false;
    page.socket.answers['generation:start'] = () => started();
    page.send();
    return page.outbox.all() as [PendingSend];
  };

  it.each(['guest', 'user:2'] as const)('is not sent while the page shows somebody else (%s)', async (other) => {
    const page = setUp();
    ofSari(page);
    page.owner.become(other);
    page.socket.connect();
    await settled();
    expect(page.socket.calls).toEqual([]);
    expect(page.outbox.all()).toMatchObject([{ owner: 'user:1', state: 'waiting' }]);
  });

  it('goes out when its writer is back', async () => {
    const page = setUp();
    const [{ clientMessageId }] = ofSari(page);
    page.owner.become('guest');
    page.socket.connect();
    page.owner.become('user:1');
    page.socket.connect();
    await settled();
    expect(page.socket.called('generation:start')).toMatchObject([{ payload: { clientMessageId } }]);
    expect(page.outbox.all()).toEqual([]);
  });

  it('is not asked for again under another name when its connection broke', async () => {
    const page = setUp();
    page.owner.become('user:1');
    page.socket.answers['generation:start'] = () => {
      page.owner.become('guest');
      throw ApiError.network();
    };
    page.send();
    await settled();
    expect(page.socket.called('generation:start')).toHaveLength(1);
    expect(page.outbox.all()).toMatchObject([{ owner: 'user:1', state: 'waiting' }]);
  });

  it('of a guest goes out once they have signed in, and is theirs', async () => {
    const { socket, owner, outbox, send } = setUp();
    socket.connected = false;
    send();
    owner.become('user:1');
    socket.answers['generation:start'] = () => new Promise(() => undefined);
    socket.connect();
    await settled();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toMatchObject([{ owner: 'user:1' }]);
  });

  it('stays until it is known whom the page shows', async () => {
    const { socket, owner, outbox, send } = setUp();
    owner.become(null);
    socket.answers['generation:start'] = () => started();
    send();
    await settled();
    expect(socket.calls).toEqual([]);
    expect(owner.asked).toBe(1);
    owner.become('user:1');
    await settled();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toEqual([]);
  });
});

test('a connection lost before the ack sends again with the same id', async () => {
  const { socket, outbox, send } = setUp();
  socket.answers['generation:start'] = () => {
    socket.connected = false;
    throw ApiError.network();
  };
  send();
  await settled();
  expect(outbox.all()[0]?.state).toBe('waiting');
  socket.answers['generation:start'] = () => started({ duplicate: true, aiMessage: aiMessage(2, 1) });
  socket.connect();
  await settled();
  const [first, second] = socket.called('generation:start');
  expect(second?.payload.clientMessageId).toBe(first?.payload.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

test('the outbox survives a reload of the page', async () => {
  const { socket, outbox, send } = setUp();
  socket.answers['generation:start'] = () => new Promise(() => undefined);
  send();
  await settled();
  const reloaded = createOutbox();
  expect(reloaded.all()).toEqual([{ ...outbox.all()[0], state: 'waiting' }]);
});
