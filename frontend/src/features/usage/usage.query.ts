import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OwnUsage, UsageReport } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import type { Days } from './period';

const searchOf = ({ from, to }: Days) => `from=${from}&to=${to}`;

export const usageQuery = (days: Days) =>
  queryOptions({
    queryKey: ['admin', 'usage', days],
    queryFn: ({ signal }) => api.get<UsageReport>(`/api/admin/usage?${searchOf(days)}`, signal),
    placeholderData: keepPreviousData,
    // New usage is announced by no event.
    staleTime: 0,
  });

export const ownUsageQuery = (days: Days) =>
  queryOptions({
    queryKey: ['usage', days],
    queryFn: ({ signal }) => api.get<OwnUsage>(`/api/user/usage?${searchOf(days)}`, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const csvAddress = (days: Days): string => `/api/admin/usage.csv?${searchOf(days)}`;
