import { maskKey } from './mask-key';

describe('maskKey', () => {
  it('shows eight characters and then 24 bullets, whatever the length', () => {
    expect(maskKey('abcdefghijklmnop')).toBe(`abcdefgh${'•'.repeat(24)}`);
    expect(maskKey('abcdefgh-and-much-more-behind-it')).toHaveLength(32);
  });
});
