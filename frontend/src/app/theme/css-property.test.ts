import { isCssProperty } from './css-property';

const KNOWN = new Set(['background-color', '-webkit-user-select', '-webkit-tap-highlight-color', 'size']);

beforeAll(() => {
  const supports = (name: string, value?: string) => value === 'inherit' && KNOWN.has(name);
  Object.assign(globalThis, { CSS: { supports } });
});
afterAll(() => void Reflect.deleteProperty(globalThis, 'CSS'));

test.each(['backgroundColor', 'userSelect', 'WebkitTapHighlightColor', '--gap', '&:hover', '@media print'])(
  '%s is style',
  (prop) => expect(isCssProperty(prop)).toBe(true),
);

test.each(['href', 'onClick', 'aria-label', 'size'])('%s is no style', (prop) => {
  expect(isCssProperty(prop)).toBe(false);
});
