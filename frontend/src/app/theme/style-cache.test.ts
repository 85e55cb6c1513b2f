import { nested } from './style-cache';

test('a rule of a layer or a media query is nested, and its selectors keep their precedence', () => {
  expect(nested('@layer recipes{.css-a{color:red;}.css-a:hover{color:blue;}}')).toBe(
    ':where(html){@layer recipes{.css-a{color:red;}.css-a:hover{color:blue;}}}',
  );
  expect(nested('@media (hover: hover){.css-a:is(:hover, [data-hover]){color:red;}}')).toBe(
    ':where(html){@media (hover: hover){.css-a:is(:hover, [data-hover]){color:red;}}}',
  );
});

test('selectors that begin at the root still match it', () => {
  expect(nested('@layer recipes{:root .css-a,.light .css-a{color:red;}.dark .css-a{color:blue;}}')).toBe(
    ':where(html){@layer recipes{:is(&:root,& :root) .css-a,:is(&.light,& .light) .css-a{color:red;}' +
      ':is(&.dark,& .dark) .css-a{color:blue;}}}',
  );
  expect(nested('@media (min-width: 48rem){[dir=rtl] .css-a{left:0;}}')).toContain(
    ':is(&[dir=rtl],& [dir=rtl]) .css-a{left:0;}',
  );
});

test.each([
  '.css-a{color:red;}',
  '.dark .css-a{color:red;}',
  '@keyframes spin{to{rotate:1turn;}}',
  '@font-face{src:x;}',
])('%s stays as it is', (rule) => expect(nested(rule)).toBe(rule));
