import { createFileRoute } from '@tanstack/react-router';
import { FailuresPage } from '../../features/admin-failures/failures-page';

export const Route = createFileRoute('/admin/failures')({ component: FailuresPage });
