import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRunning, processIdentity } from './process-identity.js';

describe('processIdentity', () => {
  it('names a process that runs', () => {
    expect(isRunning(processIdentity())).toBe(true);
  });

  it('names it no longer once it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = processIdentity(child.pid);
    expect(isRunning(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isRunning(identity)).toBe(false);
  });

  (process.platform === 'linux' ? it : it.skip)('is not fooled by a process that got the same number later', () => {
    expect(isRunning(`${process.pid}:1`)).toBe(false);
  });

  it.each(['', 'nonsense', '0:', '-1:5'])('takes %j for nobody', (identity) => {
    expect(isRunning(identity)).toBe(false);
  });
});
