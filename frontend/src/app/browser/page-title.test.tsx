import { holdTitleMark, markTitle, setTitle } from './page-title';

let isHidden = false;
Object.defineProperty(document, 'hidden', { get: () => isHidden });

function switchTab(hidden: boolean): void {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(() => switchTab(false));

test('a visible tab gets no mark', () => {
  setTitle('Asisten AI');
  markTitle();
  expect(document.title).toBe('Asisten AI');
});

test('the mark of a hidden tab stays when the title changes, and ends when the tab is visible', () => {
  setTitle('Asisten AI');
  switchTab(true);
  markTitle();
  markTitle();
  setTitle('Rainbows · Asisten AI');
  expect(document.title).toBe('● Rainbows · Asisten AI');
  switchTab(false);
  expect(document.title).toBe('Rainbows · Asisten AI');
});

test('a held mark stays until its last holder ends it, also in a visible tab', () => {
  setTitle('Asisten AI');
  const [endFirst, endSecond] = [holdTitleMark(), holdTitleMark()];
  expect(document.title).toBe('● Asisten AI');
  endFirst();
  setTitle('Rainbows · Asisten AI');
  switchTab(true);
  markTitle();
  switchTab(false);
  expect(document.title).toBe('● Rainbows · Asisten AI');
  endSecond();
  expect(document.title).toBe('Rainbows · Asisten AI');
});
