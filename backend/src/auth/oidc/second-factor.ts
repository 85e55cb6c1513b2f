import type { ServerMetadata } from 'openid-client';
import type { IdentityProviderEntity } from './identity-provider.entity.js';

type Trust = Pick<IdentityProviderEntity, 'trustsSecondFactor' | 'secondFactorValues'>;

const wantedOf = ({ trustsSecondFactor, secondFactorValues }: Trust): string[] =>
  trustsSecondFactor ? (secondFactorValues ?? '').split(/\s+/).filter(Boolean) : [];

/**
 * Whether a login at a provider stands for a second factor here. Where values are named, a token without one of them is taken
 * for a login with a password alone.
 */
export function isSecondFactor(provider: Trust, token: { readonly [claim: string]: unknown }): boolean {
  const { acr, amr } = token;
  const wanted = new Set<unknown>(wantedOf(provider));
  if (wanted.size === 0) return provider.trustsSecondFactor;
  const given: unknown[] = Array.isArray(amr) ? amr : [amr];
  return wanted.has(acr) || given.some((value) => wanted.has(value));
}

/** What a provider is asked for at the start of a login: those of the values that it offers as `acr`. */
export function askedStrength(
  provider: Trust,
  { acr_values_supported: offered }: ServerMetadata,
): Record<string, string> {
  if (!Array.isArray(offered)) return {};
  const values = wantedOf(provider).filter((value) => offered.includes(value));
  return values.length === 0 ? {} : { acr_values: values.join(' ') };
}
