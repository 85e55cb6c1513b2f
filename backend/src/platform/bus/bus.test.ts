import { pino } from 'pino';
import { LocalBus, topic } from './bus.js';

const said = topic<string>('said');

it('lets no subscriber wait for another, and logs the error of one', async () => {
  const lines: string[] = [];
  const bus = new LocalBus(pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
  const heard: string[] = [];
  let end = (): void => undefined;
  bus.subscribe(said, async () => {
    await new Promise<void>((resolve) => (end = resolve));
    throw new Error('late');
  });
  bus.subscribe(said, (word) => void heard.push(word));
  const published = bus.publish(said, 'word');
  expect(heard).toEqual(['word']);
  end();
  await published;
  expect(lines).toEqual([expect.stringContaining('bus subscriber failed')]);
});
