import type { PublicSettings, User } from '@tanya/contract';

/** Whether the role of the user requires a second factor; false until the settings are loaded. */
export const isTotpRequired = (user: User, settings: PublicSettings | undefined): boolean =>
  settings?.totpRequired[user.isAdmin ? 'admin' : 'member'] ?? false;
