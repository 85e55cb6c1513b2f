import { createFileRoute } from '@tanstack/react-router';
import { loadLateParts } from '../components/lazy/load-late';
import { SharedPage } from '../features/chat/shared-page/shared-page';

/** A shared conversation. Outside of the app's frame: no login, no socket. */
export const Route = createFileRoute('/share/$token')({
  loader: () => loadLateParts(),
  component: function ShareRoute() {
    return <SharedPage token={Route.useParams().token} />;
  },
});
