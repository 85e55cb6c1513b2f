import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AdminOnly } from '../components/layout/guards';

export const Route = createFileRoute('/admin')({
  component: () => (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  ),
});
