import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OwnUsage, UsageFilter, UsageReport } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import type { Days } from './period';
import { filterParts } from './usage-filter';

const searchOf = ({ from, to }: Days, filter: UsageFilter = {}) =>
  new URLSearchParams([['from', from], ['to', to], ...filterParts(filter)]).toString();

export const usageQuery = (days: Days, filter: UsageFilter) =>
  queryOptions({
    queryKey: ['admin', 'usage', days, filter],
    queryFn: ({ signal }) => api.get<UsageReport>(`/api/admin/usage?${searchOf(days, filter)}`, signal),
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

/** @param isDetailed one line for each generation */
export const csvAddress = (days: Days, filter: UsageFilter, isDetailed: boolean): string =>
  `/api/admin/usage.csv?${searchOf(days, filter)}${isDetailed ? '&detail=true' : ''}`;
