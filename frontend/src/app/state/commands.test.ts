import { onCommand, runCommand } from './commands';

describe('runCommand', () => {
  it('calls the subscribers of a command until they unsubscribe', () => {
    const received: string[] = [];
    const stop = onCommand('search', () => received.push('search'));
    runCommand('search');
    runCommand('stop');
    stop();
    runCommand('search');
    expect(received).toEqual(['search']);
  });
});
