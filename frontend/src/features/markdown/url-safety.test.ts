import { isOwnImage, safeLink } from './url-safety';

test.each([
  'https://example.org/a?b=c',
  'http://example.org',
  'mailto:a@example.org',
  '/projects/1/files/0b9c?section=4',
  '/projects/1/files/0b9c?section=4&quote=A%20berth',
])('%s is a link (XSS-3)', (url) => {
  expect(safeLink(url)).not.toBeNull();
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  '//example.org',
  '/api/user',
  'relative',
  '/projects/1/files/0b9c?section=4&to=//evil.example',
  '',
])('%j stays text (XSS-3)', (url) => {
  expect(safeLink(url)).toBeNull();
});

const origin = 'https://chat.example.org';

test.each(['/api/files/abc', `${origin}/api/files/abc`, 'data:image/png;base64,AAAA', `blob:${origin}/1`])(
  '%s is loaded as an image',
  (url) => {
    expect(isOwnImage(url, origin)).toBe(true);
  },
);

test.each([
  'https://evil.example/api/files/x?q=secret',
  '//evil.example/api/files/x',
  '/\\evil.example/api/files/x',
  '/api/files/../user',
  '/api/logout',
  'data:text/html,x',
  'blob:https://evil.example/1',
  'http://chat.example.org/api/files/abc',
  '',
])('%s is not loaded as an image (XSS-4)', (url) => {
  expect(isOwnImage(url, origin)).toBe(false);
});
