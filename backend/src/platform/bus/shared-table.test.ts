import { pino } from 'pino';
import { LocalBus, topic } from './bus.js';
import { SharedTable } from './shared-table.js';

const changed = topic<null>('rows-changed');

it('tells the others of a change also when this node cannot read it', async () => {
  const bus = new LocalBus(pino({ level: 'silent' }));
  let isAway = false;
  const rows = ['before'];
  const table = new SharedTable(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([...rows])), {
    bus,
    changed,
  });
  const heard: string[][] = [];
  bus.subscribe(changed, () => void heard.push(table.value));
  await table.load();
  rows.push('after');
  isAway = true;
  await expect(table.announce()).rejects.toThrow('away');
  expect(heard).toEqual([['before']]);
  isAway = false;
  await table.announce();
  expect(heard.at(-1)).toEqual(['before', 'after']);
  bus.close();
});
