import { createFileRoute } from '@tanstack/react-router';
import { ToolServersPage } from '../../features/admin-tools/tool-servers-page';

export const Route = createFileRoute('/admin/tools')({ component: ToolServersPage });
