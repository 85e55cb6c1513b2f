import type { ToolPart } from '@tanya/contract';
import { decidedCall, endedCall, hasEnded, isAllowed, runningCall, waitingCall } from './call-states.js';

const call: ToolPart = { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'running' };

describe('a call of a tool', () => {
  it('waits, is allowed, runs and ends, without a mark of the approval once it runs', () => {
    const allowed = decidedCall(waitingCall(call), true);
    expect(allowed).toEqual({ ...call, state: 'waiting', approved: true });
    expect([isAllowed(waitingCall(call)), isAllowed(allowed), hasEnded(allowed)]).toEqual([false, true, false]);
    expect(runningCall(allowed)).toEqual(call);
    expect([hasEnded(runningCall(allowed)), hasEnded(endedCall(call, 'done'))]).toEqual([false, true]);
  });

  it('is denied for a reason that the model reads', () => {
    expect(decidedCall(waitingCall(call), false)).toEqual({
      ...call,
      state: 'denied',
      error: 'The user denied this call.',
    });
  });

  it('keeps no mark of the approval when its answer ends before it runs', () => {
    expect(endedCall(decidedCall(waitingCall(call), true), 'denied')).toEqual({ ...call, state: 'denied' });
    expect(endedCall(call, 'failed', 'Gone.')).toEqual({ ...call, state: 'failed', error: 'Gone.' });
  });
});
