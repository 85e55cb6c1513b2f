import { createFileRoute } from '@tanstack/react-router';
import { AdminUsagePage } from '../../features/usage/admin-usage-page';

export const Route = createFileRoute('/admin/usage')({ component: AdminUsagePage });
