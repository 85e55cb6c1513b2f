// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { PICTURES_OF_THREAD } from '../../files/attached-files.js';
import type { Owner } from '../../identity/identity.js';
import { statement } from '../../platform/database/named-parameters.js';
import { pathSize } from '../messages/message-sql.js';

/** What a prompt has before its own message. */
export interface EarlierSize {
  characters: number;
  messages: number;
  /** Pages that go as pictures. */
  pictures: number;
  projectId: number | null;
}

export const selectEarlierSize = statement<{
  owner: Owner;
  threadId: number;
  messageId: number | null;
  limit: number;
  takesImages: boolean;
}>(pathSize(`case when :takesImages::boolean then ${PICTURES_OF_THREAD} else 0 end as pictures`));
