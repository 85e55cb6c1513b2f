import { removeThread, markOpen, markSettled, markStreaming, useThreadActivity } from './thread-activity';

const { getState, setState } = useThreadActivity;

describe('thread activity', () => {
  beforeEach(() => setState({ streaming: new Set(), unread: new Set(), open: null }));

  it('marks a thread as unread when its generation ends off screen, until it is opened', () => {
    markStreaming(1);
    markSettled(1);
    expect([...getState().streaming]).toEqual([]);
    expect([...getState().unread]).toEqual([1]);
    markOpen(1);
    expect([...getState().unread]).toEqual([]);
  });

  it('leaves the open thread read', () => {
    markOpen(1);
    markStreaming(1);
    markSettled(1);
    expect([...getState().unread]).toEqual([]);
  });

  it('drops a deleted thread', () => {
    markStreaming(1);
    markSettled(2);
    removeThread(1);
    removeThread(2);
    expect([...getState().streaming, ...getState().unread]).toEqual([]);
  });
});
