import { createFileRoute } from '@tanstack/react-router';
import { ModelsPage } from '../../features/admin-models/models-page';

export const Route = createFileRoute('/admin/')({ component: ModelsPage });
