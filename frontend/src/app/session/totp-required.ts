import type { PublicSettings, User } from '@tanya/contract';

/** Whether the user must set up a second factor before anything else. */
export const mustEnrollTotp = (user: User, settings: PublicSettings | undefined): boolean =>
  !user.hasTotp && !user.isTwoFactor && isTotpRequired(user, settings);

/** Whether the role of the user requires a second factor; false until the settings are loaded. */
export const isTotpRequired = (user: User, settings: PublicSettings | undefined): boolean =>
  settings?.totpRequired[user.isAdmin ? 'admin' : 'member'] ?? false;
