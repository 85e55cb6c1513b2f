import { createFileRoute } from '@tanstack/react-router';
import { AdminKeysPage } from '../../features/api-integration/admin-keys/admin-keys-page';

export const Route = createFileRoute('/admin/keys')({ component: AdminKeysPage });
