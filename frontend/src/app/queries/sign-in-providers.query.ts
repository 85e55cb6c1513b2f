import { queryOptions } from '@tanstack/react-query';
import type { SignInProvider } from '@tanya/contract';
import { api } from '../api/api-client';

export const signInProvidersQuery = queryOptions({
  queryKey: ['sign-in-providers'],
  queryFn: ({ signal }) => api.get<SignInProvider[]>('/api/auth/providers', signal),
});
