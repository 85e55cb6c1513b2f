import { createFileRoute } from '@tanstack/react-router';
import { AdminOnly } from '../components/layout/guards';
import { NotFoundPage } from '../components/layout/not-found-page';
import { loadLate } from '../components/lazy/load-late';
import type { AdminPageName } from '../features/admin-pages';

/** All pages of admins: each route takes room in the first JavaScript. */
export const Route = createFileRoute('/admin/{-$page}')({
  // The names that links may use. An address can have any.
  params: { parse: ({ page }) => ({ page: page as AdminPageName }) },
  loader: ({ params }) =>
    loadLate(async () => (await import('../features/admin-pages')).loadAdminPage(params.page), 'admin'),
  component: function AdminRoute() {
    const Page = Route.useLoaderData();
    if (!Page) return <NotFoundPage />;
    return (
      <AdminOnly>
        <Page />
      </AdminOnly>
    );
  },
});
