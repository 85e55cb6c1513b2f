import type { PublicSettings, User } from '@tanya/contract';

/** Whether the role of the user requires a second factor. A server of the previous version sends no such setting. */
export function isTotpRequired(user: User, settings: PublicSettings | undefined): boolean {
  const required: PublicSettings['totpRequired'] | undefined = settings?.totpRequired;
  return (user.isAdmin ? required?.admin : required?.member) ?? false;
}
