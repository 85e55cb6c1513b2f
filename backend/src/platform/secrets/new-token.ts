import { randomBytes } from 'node:crypto';

/** The secret of a link: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');
