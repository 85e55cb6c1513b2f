/**
 * - `broken`: neither JSON nor a ZIP archive, or damaged.
 * - `unknown-format`: readable, and no conversation of a known format.
 * - `too-large`: a bound of the size is exceeded.
 * - `too-many`: a bound of a count is exceeded.
 */
export type UnreadableReason = 'broken' | 'unknown-format' | 'too-large' | 'too-many';

/** The end of an import whose file cannot be read, or not to its end. */
export class UnreadableExport extends Error {
  constructor(
    readonly reason: UnreadableReason,
    options?: ErrorOptions,
  ) {
    super(`the export is unreadable: ${reason}`, options);
  }
}

export const isBroken = (error: unknown): boolean => error instanceof UnreadableExport && error.reason === 'broken';
