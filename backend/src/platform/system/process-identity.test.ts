import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRunning, processIdentity } from './process-identity.js';

describe('processIdentity', () => {
  it('identifies a running process', () => {
    expect(isRunning(processIdentity())).toBe(true);
  });

  it('does not identify a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = processIdentity(child.pid);
    expect(isRunning(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isRunning(identity)).toBe(false);
  });

  (process.platform === 'linux' ? it : it.skip)('detects a reused process id', () => {
    expect(isRunning(`${process.pid}:1`)).toBe(false);
  });

  it.each(['', 'nonsense', '0:', '-1:5'])('treats %j as not running', (identity) => {
    expect(isRunning(identity)).toBe(false);
  });
});
