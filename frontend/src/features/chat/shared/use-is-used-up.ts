import { useQuery } from '@tanstack/react-query';
import { type Quota, UNLIMITED } from '@tanya/contract';
import { quotaQuery } from '../../../app/queries/user.query';

/** True once the quota has been read and has no message left. */
export function useIsUsedUp(): boolean {
  const isUsedUp = ({ max, remaining }: Quota) => max !== UNLIMITED && remaining <= 0;
  // Undefined instead of false: the usual answer then renders nothing anew.
  const { data } = useQuery({ ...quotaQuery, select: (quota) => isUsedUp(quota) || undefined });
  return data ?? false;
}
