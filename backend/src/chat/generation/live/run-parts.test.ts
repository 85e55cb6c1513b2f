import { LIMITS, type ToolPart } from '@tanya/contract';
import { endOpenCalls } from '../store/call-states.js';
import { areVisible, RunParts } from './run-parts.js';

const call: ToolPart = { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'running' };

describe('the parts of a run', () => {
  it('begin with their first delta and name the part of each', () => {
    const parts = new RunParts();
    const at = [
      parts.append('reasoning-delta', 'h'),
      parts.append('reasoning-delta', 'm'),
      parts.append('text-delta', 'One. '),
      parts.add(call),
      parts.append('text-delta', 'Two.'),
    ].map((added) => (typeof added === 'number' ? added : added?.part));
    expect(at).toEqual([0, 0, 1, 2, 3]);
    expect(parts.all).toEqual([
      { type: 'reasoning', text: 'hm', ms: expect.any(Number) as number },
      { type: 'text', text: 'One. ' },
      call,
      { type: 'text', text: 'Two.' },
    ]);
    expect([parts.textOf('text'), parts.lengthOf('text'), parts.count('tool')]).toEqual(['One. Two.', 9, 1]);
  });

  it('tell how many bytes their calls have given, results and errors', () => {
    const parts = new RunParts();
    parts.add(call);
    expect(parts.resultBytes).toBe(0);
    parts.replaceCall({ ...call, state: 'done', result: '港'.repeat(10) });
    parts.add({ ...call, callId: 'b', state: 'failed', error: '"no"' });
    expect(parts.resultBytes).toBe(32 + 8);
  });

  it('are stored with checkpoints only when text and reasoning do not give them, each once', () => {
    const parts = new RunParts();
    parts.append('reasoning-delta', 'hm');
    parts.append('text-delta', 'One. ');
    expect(parts.takeChanged()).toBeNull();
    parts.add(call);
    expect(parts.takeChanged()?.map(([index]) => index)).toEqual([0, 1, 2]);
    expect(parts.takeChanged()).toBeNull();
    parts.replaceCall({ ...call, state: 'done', result: '2' });
    parts.append('text-delta', 'Two.');
    expect(parts.takeChanged()).toEqual([
      [2, { ...call, state: 'done', result: '2' }],
      [3, { type: 'text', length: 4 }],
    ]);
  });

  it('do not change after they were read', () => {
    const parts = new RunParts();
    parts.append('text-delta', 'One');
    const before = parts.all;
    parts.append('text-delta', ' two');
    expect(before).toEqual([{ type: 'text', text: 'One' }]);
  });

  it('bound the text of all parts together', () => {
    const parts = new RunParts();
    parts.append('text-delta', 'x'.repeat(LIMITS.answerCharacters - 1));
    parts.add(call);
    expect(parts.append('text-delta', 'yz')).toEqual({ text: 'y', part: 2 });
    expect([parts.isCut, parts.append('text-delta', 'z')]).toEqual([true, null]);
  });

  it('have no running call at the end, and are visible with a call', () => {
    const ended = endOpenCalls([call, { ...call, state: 'done' }], 'interrupted');
    expect(ended.map((part) => 'state' in part && part.state)).toEqual(['interrupted', 'done']);
    expect([areVisible([]), areVisible([{ type: 'reasoning', text: '' }])]).toEqual([false, false]);
    expect(areVisible([{ type: 'reasoning', text: 'hm' }])).toBe(true);
    expect([areVisible([call]), areVisible([{ type: 'text', text: 'a' }])]).toEqual([true, true]);
  });
});
