import { LIMITS } from '@tanya/contract';
import { linkMail } from '../../platform/mail/link-mail.js';
import type { Mail } from '../../platform/mail/mailer.js';
import { nameInMail } from '../../platform/mail/name-in-mail.js';

interface ResetMail {
  to: string;
  username: string;
  siteTitle: string;
  link: string;
}

/** The mail with the link to choose a new password. */
export const resetMail = ({ to, username, siteTitle, link }: ResetMail): Mail =>
  linkMail({
    to,
    subject: `Reset your password – ${siteTitle}`,
    reason: `A new password was requested for the account “${nameInMail(username)}” of ${siteTitle}.`,
    button: 'Choose a new password',
    link,
    validity: `The link works once, for ${LIMITS.resetMinutes} minutes.`,
    ignore: 'If you did not ask for this, ignore this mail. Your password stays as it is.',
  });
