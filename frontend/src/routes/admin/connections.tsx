import { createFileRoute } from '@tanstack/react-router';
import { ConnectionsPage } from '../../features/admin-settings/connections/connections-page';

export const Route = createFileRoute('/admin/connections')({ component: ConnectionsPage });
