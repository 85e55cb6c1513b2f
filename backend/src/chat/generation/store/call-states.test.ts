import type { ToolPart } from '@tanya/contract';
import { decided, ended, hasEnded, isAllowed, running, waiting } from './call-states.js';

const call: ToolPart = { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'running' };

describe('a call of a tool', () => {
  it('waits, is allowed, runs and ends, without a mark of the approval once it runs', () => {
    const allowed = decided(waiting(call), true);
    expect(allowed).toEqual({ ...call, state: 'waiting', approved: true });
    expect([isAllowed(waiting(call)), isAllowed(allowed), hasEnded(allowed)]).toEqual([false, true, false]);
    expect(running(allowed)).toEqual(call);
    expect([hasEnded(running(allowed)), hasEnded(ended(call, 'done'))]).toEqual([false, true]);
  });

  it('is denied for a reason that the model reads', () => {
    expect(decided(waiting(call), false)).toEqual({ ...call, state: 'denied', error: 'The user denied this call.' });
  });

  it('keeps no mark of the approval when its answer ends before it runs', () => {
    expect(ended(decided(waiting(call), true), 'denied')).toEqual({ ...call, state: 'denied' });
    expect(ended(call, 'failed', 'Gone.')).toEqual({ ...call, state: 'failed', error: 'Gone.' });
  });
});
