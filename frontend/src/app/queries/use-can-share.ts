import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from './settings.query';
import { currentUserQuery } from './user.query';

/** Whether the user may share threads: members may, unless an admin has switched sharing off. */
export function useCanShare(): boolean {
  const { data: user } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  return Boolean(user) && settings?.sharingEnabled !== false;
}
