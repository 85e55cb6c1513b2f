import { keepAboveKeyboard } from './visible-height';

/** The part of a 800 px high window that can be seen. */
function shows(height: number, scale = 1): string {
  Object.assign(view, { height, scale });
  view.dispatchEvent(new Event('resize'));
  return document.documentElement.style.getPropertyValue('--visible-height');
}

const view = Object.assign(new EventTarget(), { height: 800, scale: 1 });

beforeAll(() => {
  Object.assign(window, { visualViewport: view, innerHeight: 800, scrollTo: () => undefined });
  keepAboveKeyboard();
});

test('the page is as high as what a keyboard leaves of it', () => {
  expect(shows(460)).toBe('460px');
  expect(shows(800)).toBe('');
});

test('bars of the browser and zooming are no keyboard', () => {
  expect(shows(744)).toBe('');
  expect(shows(400, 2)).toBe('');
});
