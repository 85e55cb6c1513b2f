import type { AdminUser } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import type { PlainTextKey } from '../../texts/catalogue';
import { useAccountChange } from './user-mutations';

export type AccountChange = 'totp' | 'sessions' | 'suspend' | 'resume' | 'delete' | 'demote' | 'usage';

interface Question {
  title: PlainTextKey;
  question: (name: string) => string;
  /** What the button says; Delete by default. */
  action?: PlainTextKey;
  /** @param path of the account */
  send: (path: string) => Promise<unknown>;
  done: PlainTextKey;
  failed: PlainTextKey;
}

const updated = { done: 'users.updated', failed: 'users.updateError' } as const;

const QUESTIONS: Record<AccountChange, Question> = {
  totp: {
    title: 'usersPage.resetTotp',
    question: (name) => t('usersPage.resetTotpQuestion', { name }),
    action: 'usersPage.reset',
    send: (path) => api.post(`${path}/reset-totp`),
    done: 'usersPage.totpReset',
    failed: 'usersPage.totpResetError',
  },
  sessions: {
    title: 'usersPage.endSessions',
    question: (name) => t('usersPage.endSessionsQuestion', { name }),
    action: 'usersPage.endSessions',
    send: (path) => api.post(`${path}/end-sessions`),
    done: 'usersPage.sessionsEnded',
    failed: 'usersPage.endSessionsError',
  },
  suspend: {
    title: 'people.suspendTitle',
    question: (name) => t('people.suspendQuestion', { name }),
    action: 'people.suspend',
    send: (path) => api.patch(path, { isSuspended: true }),
    ...updated,
  },
  resume: {
    title: 'people.resumeTitle',
    question: (name) => t('people.resumeQuestion', { name }),
    action: 'people.resume',
    send: (path) => api.patch(path, { isSuspended: false }),
    ...updated,
  },
  delete: {
    title: 'usersPage.deleteTitle',
    question: (name) => t('users.deleteQuestion', { name }),
    send: (path) => api.delete(path),
    done: 'users.deleted',
    failed: 'users.deleteError',
  },
  demote: {
    title: 'usersPage.demoteTitle',
    question: () => t('usersPage.demoteQuestion'),
    action: 'usersPage.removeAdmin',
    send: (path) => api.patch(path, { isAdmin: false }),
    ...updated,
  },
  usage: {
    title: 'people.resetUsage',
    question: (name) => t('people.resetUsageQuestion', { name }),
    action: 'people.resetUsage',
    send: (path) => api.post(`${path}/reset-usage`),
    done: 'people.usageReset',
    failed: 'people.resetUsageError',
  },
};

interface AccountQuestionProps {
  kind: AccountChange;
  user: AdminUser;
  onClose: () => void;
}

/** Asks before a change of an account. */
export function AccountQuestion({ kind, user, onClose }: AccountQuestionProps) {
  const { title, question, action, ...change } = QUESTIONS[kind];
  const { isPending, mutate } = useAccountChange(user, change, onClose);
  return (
    <ConfirmDialog
      title={t(title)}
      question={question(user.fullName || user.username)}
      action={action && t(action)}
      colorPalette={kind === 'resume' ? 'jade' : 'red'}
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
