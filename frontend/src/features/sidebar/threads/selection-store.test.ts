import { endSelection, selectAll, selectTo, startSelection, toggleSelected, useSelection } from './selection-store';

const selected = () => {
  const { selected } = useSelection.getState();
  return selected && [...selected].sort((a, b) => a - b);
};

describe('the selection of threads', () => {
  afterEach(endSelection);

  it('starts with one thread, and ends', () => {
    expect(selected()).toBeNull();
    startSelection(3);
    expect(selected()).toEqual([3]);
    endSelection();
    expect(selected()).toBeNull();
  });

  it('toggles threads, and stays open when it is empty', () => {
    startSelection(3);
    toggleSelected(5);
    toggleSelected(3);
    toggleSelected(5);
    expect(selected()).toEqual([]);
  });

  it('adds a range in the order of the list, in both directions', () => {
    const shown = [9, 4, 7, 1, 8];
    startSelection(1);
    selectTo(4, shown);
    expect(selected()).toEqual([1, 4, 7]);
    selectTo(8, shown);
    expect(selected()).toEqual([1, 4, 7, 8]);
  });

  it('toggles a thread when the other end of the range is no longer shown', () => {
    startSelection(2);
    selectTo(4, [9, 4]);
    expect(selected()).toEqual([2, 4]);
  });

  it('takes all shown threads', () => {
    selectAll([3, 1]);
    expect(selected()).toEqual([1, 3]);
  });
});
