import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../features/auth/reset-password-page';

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    typeof token === 'string' ? { token } : {},
  component: function ResetPasswordRoute() {
    const { token = '' } = Route.useSearch();
    return <ResetPasswordPage token={token} />;
  },
});
