// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { PICTURES_OF_THREAD } from '../../files/attached-files.js';
import type { Owner } from '../../identity/identity.js';
import { statement } from '../../platform/database/named-parameters.js';
import { WITH_SUMMARY } from '../messages/summary-store.js';

/** What a prompt has before its own message. */
export interface EarlierSize {
  characters: number;
  messages: number;
  /** Pages that go as pictures. */
  pictures: number;
  projectId: number | null;
}

/** A message with a summary goes as that. */
const CHARACTERS = 'length(coalesce(s.text, m.content))';

/**
 * The size of a path of the owner from `:messageId`, or from the end of the shown one for null, over at most `:limit` messages
 * to the nearest summary; zeros for a thread of another owner.
 */
export const selectEarlierSize = statement<{
  owner: Owner;
  threadId: number;
  messageId: number | null;
  limit: number;
  takesImages: boolean;
}>(`with recursive path as (
  select m.parent_id, ${CHARACTERS} as characters, s.text is not null as is_summarized, 1 as depth, t.project_id
  from thread t join message m on m.thread_id = t.id and m.id = coalesce(:messageId::bigint, t.active_leaf_id) ${WITH_SUMMARY}
  where t.id = :threadId::bigint and t.owner = :owner
  union all
  select m.parent_id, ${CHARACTERS}, s.text is not null, path.depth + 1, path.project_id
  from path join message m on m.id = path.parent_id ${WITH_SUMMARY}
  where path.depth < :limit::int and not path.is_summarized
) select coalesce(sum(characters), 0)::int as characters, count(*)::int as messages, max(project_id) as "projectId",
  case when :takesImages::boolean then ${PICTURES_OF_THREAD} else 0 end as pictures from path`);
