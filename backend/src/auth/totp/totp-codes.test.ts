import {
  createRecoveryCodes,
  recoveryCodeHash,
  createTotpSecret,
  isTotpCode,
  stepOfCode,
  totpUri,
} from './totp-codes.js';

/** The secret of RFC 6238, appendix B: `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('TOTP codes', () => {
  // The last six digits of the eight in the RFC.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('match the test vector of RFC 6238 at second %d', (second, code) => {
    expect(stepOfCode(SECRET, code, second * 1000)).toBe(Math.floor(second / 30));
  });

  it.each([
    [-31, null],
    [-30, 1],
    [0, 1],
    [29, 1],
    [59, 1],
    [60, null],
  ])('are accepted one step early or late, and no more: %d s after the start of their step', (seconds, step) => {
    const start = 30_000;
    expect(stepOfCode(SECRET, '287082', start + seconds * 1000)).toBe(step);
  });

  it.each(['28708', '2870822', 'abcdef', '', '２８７０８２', "287082'"])('do not match %p', (code) => {
    expect(isTotpCode(code)).toBe(false);
    expect(stepOfCode(SECRET, code, 59_000)).toBeNull();
  });

  it('may be typed in groups', () => {
    expect(stepOfCode(SECRET, ' 287 082', 59_000)).toBe(1);
  });
});

describe('a TOTP secret', () => {
  it('has 160 random bits in base32', () => {
    const secrets = [createTotpSecret(), createTotpSecret()];
    expect(secrets[0]).toMatch(/^[A-Z2-7]{32}$/);
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  it('is in the URI with issuer and name, which cannot add parameters', () => {
    const uri = new URL(totpUri(SECRET, 'Chat: Pro', 'ayu&secret=AAAA/?#'));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.getAll('secret')).toEqual([SECRET]);
    expect(uri.searchParams.get('issuer')).toBe('Chat  Pro');
    expect(decodeURIComponent(uri.pathname)).toContain('ayu&secret=AAAA/?#');
  });
});

describe('recovery codes', () => {
  it('are ten different codes of 80 bits', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  });

  it('are the same in any case and grouping', () => {
    expect(recoveryCodeHash('ABCD EFGH-ijkl 2345')).toBe(recoveryCodeHash('abcd-efgh-ijkl-2345'));
    expect(recoveryCodeHash('abcd-efgh-ijkl-2344')).not.toBe(recoveryCodeHash('abcd-efgh-ijkl-2345'));
  });
});
