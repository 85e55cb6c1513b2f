import { LIMITS } from '@tanya/contract';
import type { Mail } from '../../platform/mail/mailer.js';

interface ResetMail {
  to: string;
  username: string;
  siteTitle: string;
  link: string;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const STYLE = 'font:16px/1.5 sans-serif;color:#1d1c1a;max-width:34rem';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#0e7c66;color:#fff;text-decoration:none';

/** The mail with the link, as text and as HTML. User input is escaped; nodemailer encodes the headers. */
export function resetMail({ to, username, siteTitle, link }: ResetMail): Mail {
  const request = `A new password was requested for the account “${username}” of ${siteTitle}.`;
  const validity = `The link works once, for ${LIMITS.resetMinutes} minutes.`;
  const ignore = 'If you did not ask for this, ignore this mail. Your password stays as it is.';
  const text = [request, 'Choose a new password here:', link, validity, ignore].join('\n\n');
  const html = `<div style="${STYLE}">
<p>${escapeHtml(request)}</p>
<p><a href="${escapeHtml(link)}" style="${BUTTON}">Choose a new password</a></p>
<p>${escapeHtml(validity)} If the button does not work, open this address:<br>${escapeHtml(link)}</p>
<p>${escapeHtml(ignore)}</p>
</div>`;
  return { to, subject: `Reset your password – ${siteTitle}`, text: `${text}\n`, html };
}
