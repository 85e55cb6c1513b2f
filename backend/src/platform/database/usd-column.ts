import { withoutTrailingZeros } from '@tanya/contract';
import type { ColumnOptions } from 'typeorm';

/** Column of an amount in USD, a decimal string without trailing zeros. */
export const USD_COLUMN = {
  type: 'numeric',
  precision: 20,
  scale: 12,
  nullable: true,
  transformer: {
    from: (stored: string | null) => stored && withoutTrailingZeros(stored),
    to: (value: string | null | undefined) => value,
  },
} satisfies ColumnOptions;
