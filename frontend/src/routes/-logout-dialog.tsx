import { LogoutDialog } from '../components/dialogs/logout-dialog';
import { hasUnsentMessages } from '../features/chat/client/outbox-store';

/** The logout, a chunk of its own with the outbox: a page without the chat has not loaded it. */
export default function PageLogoutDialog({ onClose }: { onClose: () => void }) {
  return <LogoutDialog hasUnsentMessages={hasUnsentMessages} onClose={onClose} />;
}
