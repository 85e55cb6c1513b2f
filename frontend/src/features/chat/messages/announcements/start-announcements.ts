import { type Message, parseContent } from '@tanya/contract';
import { loadTexts } from '../../../../app/i18n/load-texts';
import { t } from '../../../../app/i18n/translate';
import { queryClient } from '../../../../app/queries/query-client';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { pageOwner } from '../../../../app/session/page-owner';
import { plainText } from '../../../markdown/markdown';
import { onAnswerFinished } from '../../client/chat-client-singleton';
import { outbox, type PendingSend } from '../../client/outbox-store';
import { announce } from './announcement-store';
import { endOf, refusalOf } from './status-texts';

/** Longer announcements are cut: a screen reader cannot skip within one. */
const MAX_CHARACTERS = 2_000;

/** Announces answers once they have ended, not token by token, and sends that wait for a connection or were refused. */
export function startAnnouncements(): void {
  onAnswerFinished((message) => void announceAnswer(message));
  announcePending().catch(() => undefined);
  outbox.store.subscribe(({ pending }, before) => {
    for (const send of pending) {
      const stateBefore = before.pending.find(({ clientMessageId }) => clientMessageId === send.clientMessageId)?.state;
      if (send.state !== stateBefore) announce(send.conversation, stateText(send));
    }
  });
}

/** A first message may wait, or be refused, before this code has loaded. The texts may load later still. */
async function announcePending(): Promise<void> {
  await loadTexts('more');
  for (const send of outbox.all()) if (send.state !== 'sending') announce(send.conversation, stateText(send));
}

/** Announces an answer as plain text, because screen readers read Markdown syntax aloud. */
export async function announceAnswer(message: Message): Promise<void> {
  const owner = pageOwner();
  const { text, imageUrl } = parseContent(message.content);
  const hasImage = imageUrl !== undefined || message.parts?.some(({ type }) => type === 'image');
  const lines = [
    await plainText(text.slice(0, MAX_CHARACTERS)),
    hasImage && t('attachments.generatedImage'),
    endOf(message),
  ];
  if (pageOwner() === owner) announce(String(message.threadId), lines.filter(Boolean).join('\n'));
}

/** Empty while the message is sent: a second refusal with the same words is then announced too. */
function stateText({ state, error }: PendingSend): string {
  if (state === 'queued') return t('message.afterAnswer');
  if (state === 'waiting') return t('message.willBeSent');
  if (state !== 'failed' || !error) return '';
  return refusalOf(error, queryClient.getQueryData(currentUserQuery.queryKey)).replaceAll(/<\/?admin>/g, '');
}
