import { keepAboveKeyboard } from './visible-height';

/** Resizes the visible part of an 800 px high window; returns the height that the page gets. */
function heightAt(height: number, scale = 1): string {
  Object.assign(view, { height, scale });
  view.dispatchEvent(new Event('resize'));
  return document.documentElement.style.getPropertyValue('--visible-height');
}

const view = Object.assign(new EventTarget(), { height: 800, scale: 1 });

beforeAll(() => {
  Object.assign(window, { visualViewport: view, innerHeight: 800, scrollTo: () => undefined });
  keepAboveKeyboard();
});

test('shrinks the page to the height above the keyboard', () => {
  expect(heightAt(460)).toBe('460px');
  expect(heightAt(800)).toBe('');
});

test('ignores browser bars and zooming', () => {
  expect(heightAt(744)).toBe('');
  expect(heightAt(400, 2)).toBe('');
});
