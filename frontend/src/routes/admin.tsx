import { createFileRoute, Outlet } from '@tanstack/react-router';
import { loadLateRecipes } from '../app/theme/theme';
import { AdminOnly } from '../components/layout/guards';

export const Route = createFileRoute('/admin')({
  loader: () => loadLateRecipes(),
  component: () => (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  ),
});
