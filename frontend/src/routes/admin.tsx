import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AdminOnly } from '../components/layout/guards';
import { loadLateParts } from '../components/lazy/load-late';

export const Route = createFileRoute('/admin')({
  loader: () => loadLateParts('admin'),
  component: () => (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  ),
});
