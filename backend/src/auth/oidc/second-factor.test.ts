import { askedStrength, isSecondFactor } from './second-factor.js';

const trusting = (secondFactorValues: string | null) => ({ trustsSecondFactor: true, secondFactorValues });

describe('isSecondFactor', () => {
  it('trusts every login of a provider without values, and none of one that is not trusted', () => {
    expect(isSecondFactor(trusting(null), {})).toBe(true);
    expect(isSecondFactor({ trustsSecondFactor: false, secondFactorValues: 'mfa' }, { amr: ['mfa'] })).toBe(false);
  });

  it.each([
    [{ amr: ['pwd', 'mfa'] }, true],
    [{ amr: ['pwd', 'otp'] }, true],
    [{ acr: 'urn:example:two' }, true],
    [{ amr: ['pwd'], acr: '1' }, false],
    [{ amr: ['MFA'] }, false],
    [{ amr: ['mfa otp'] }, false],
    [{ amr: [] }, false],
    [{}, false],
  ])('finds a value in %j: %s', (claims, expected) => {
    expect(isSecondFactor(trusting('mfa  otp urn:example:two'), claims)).toBe(expected);
  });

  it.each([{ amr: 'mfa' }, { acr: 'mfa', amr: null }] as Record<string, unknown>[])(
    'reads %j of an unusual provider',
    (claims) => {
      expect(isSecondFactor(trusting('mfa'), claims)).toBe(true);
    },
  );

  it.each([{ amr: [['mfa']] }, { amr: { mfa: true } }, { acr: ['mfa'] }, { amr: [null, 1] }] as Record<
    string,
    unknown
  >[])('takes %j for a password', (claims) => {
    expect(isSecondFactor(trusting('mfa'), claims)).toBe(false);
  });
});

describe('askedStrength', () => {
  it('asks for the values that the provider offers', () => {
    const document = { issuer: 'https://id.example', acr_values_supported: ['1', 'gold', 'silver'] };
    expect(askedStrength(trusting('gold mfa silver'), document)).toEqual({ acr_values: 'gold silver' });
    expect(askedStrength(trusting('mfa'), document)).toEqual({});
    expect(askedStrength(trusting(null), document)).toEqual({});
    expect(askedStrength(trusting('gold'), { issuer: 'https://id.example' })).toEqual({});
    expect(askedStrength({ trustsSecondFactor: false, secondFactorValues: 'gold' }, document)).toEqual({});
  });
});
