import { NodeStore } from './node-store.js';

it('stores no heartbeat after the node was removed, and removes it after the pending ones', async () => {
  const sent: string[] = [];
  const replies: (() => void)[] = [];
  const statements = {
    run: (sql: string) => {
      sent.push(sql.trim().split(' ', 1)[0]!);
      return new Promise<void>((resolve) => replies.push(resolve));
    },
  };
  const store = new NodeStore(statements as never, { nodeId: 'own', version: 'one' } as never, {} as never);
  const beats = [store.beat(), store.beat()];
  const removal = store.remove();
  expect(await store.beat()).toBe(false);
  replies[1]!();
  expect(await beats[1]).toBe(true);
  expect(sent).toEqual(['insert', 'insert']);
  replies[0]!();
  expect(await beats[0]).toBe(true);
  while (replies.length < 3) await new Promise((resolve) => setImmediate(resolve));
  replies[2]!();
  await removal;
  expect(sent).toEqual(['insert', 'insert', 'delete']);
  expect(await store.beat()).toBe(false);
  expect(sent).toHaveLength(3);
});
