import { randomBytes } from 'node:crypto';

/** An id of a call that every provider takes. Mistral requires nine letters and digits. */
export const newCallId = (): string => randomBytes(5).toString('hex').slice(0, 9);
