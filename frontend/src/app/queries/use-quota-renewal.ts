import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Quota } from '@tanya/contract';
import { useEffect } from 'react';
import { quotaQuery } from './user.query';

const MINUTE_MS = 60_000;

/** The quota, read again once its period is over: no event tells the page of that. For notices of a quota that is used up. */
export function useQuotaRenewal(): Quota | undefined {
  const client = useQueryClient();
  const { data: quota } = useQuery(quotaQuery);
  const resetsAt = quota?.resetsAt;
  useEffect(() => {
    if (!resetsAt) return;
    const renew = () => {
      if (Date.parse(resetsAt) <= Date.now()) void client.invalidateQueries({ queryKey: quotaQuery.queryKey });
    };
    renew();
    // A timer to the end of the period would stand still while the device sleeps.
    const timer = setInterval(renew, MINUTE_MS);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [client, resetsAt]);
  return quota;
}
