import { createFileRoute } from '@tanstack/react-router';
import { loadSharedPage } from '../features/chat/shared-page/load-shared-page';
import { SharedPage } from '../features/chat/shared-page/shared-page';
import { preloadMarkdown } from '../features/markdown/markdown';

/** A shared conversation. Outside of the app's frame: no login, no socket. */
export const Route = createFileRoute('/share/$token')({
  codeSplitGroupings: [['component', 'loader']],
  // Beside the code of the page, not after it.
  beforeLoad: () => void preloadMarkdown(),
  loader: ({ params }) => loadSharedPage(params.token),
  component: function ShareRoute() {
    return <SharedPage token={Route.useParams().token} />;
  },
});
