import { PNG_BASE64 } from '../backend/test/harness/scripted-answers.js';

/** Files to attach. */
export const picture = { name: 'harbour.png', mimeType: 'image/png', buffer: Buffer.from(PNG_BASE64, 'base64') };
export const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The harbour closes at six.\n') };
