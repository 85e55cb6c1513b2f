import type { Mail } from './mailer.js';

interface LinkMail {
  to: string;
  subject: string;
  /** Why the mail comes. */
  reason: string;
  /** What the link does, as the text of its button. */
  button: string;
  link: string;
  validity: string;
  /** What to do when the mail was not expected. */
  ignore: string;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const STYLE = 'font:16px/1.5 sans-serif;color:#1d1c1a;max-width:34rem';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#0e7c66;color:#fff;text-decoration:none';

/** A mail with a link, as text and as HTML. User input is escaped; nodemailer encodes the headers. */
export function linkMail({ to, subject, reason, button, link, validity, ignore }: LinkMail): Mail {
  const text = [reason, `${button} here:`, link, validity, ignore].join('\n\n');
  const html = `<div style="${STYLE}">
<p>${escapeHtml(reason)}</p>
<p><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(button)}</a></p>
<p>${escapeHtml(validity)} If the button does not work, open this address:<br>${escapeHtml(link)}</p>
<p>${escapeHtml(ignore)}</p>
</div>`;
  return { to, subject, text: `${text}\n`, html };
}
