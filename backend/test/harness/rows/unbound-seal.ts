import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals as versions before bound values did: under one key of APP_SECRET, for no cell. It never changes. */
export function sealUnbound(appSecret: string, text: string): string {
  const nonce = randomBytes(12);
  const key = Buffer.from(hkdfSync('sha256', appSecret, 'tanya', 'seal', 32));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}
