import type { ProviderEvent } from '../../../providers/provider.js';

export type DeltaType = Extract<ProviderEvent, { type: 'text-delta' | 'reasoning-delta' }>['type'];

/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? length - 1 : length);
}
