import { createHash } from 'node:crypto';

/** SHA-256 of a text in hexadecimal digits. Unsalted: secrets need at least 80 random bits. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
