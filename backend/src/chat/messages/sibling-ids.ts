import type { EntityManager } from 'typeorm';
import type { MessageRow } from './message-view.js';

/** The versions at a message's place, oldest first. */
export async function siblingIds(
  manager: EntityManager,
  { thread_id, parent_id }: Pick<MessageRow, 'thread_id' | 'parent_id'>,
): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    parent_id === null
      ? 'select id from message where thread_id = $1 and parent_id is null order by id'
      : 'select id from message where parent_id = $1 order by id',
    [parent_id ?? thread_id],
  );
  return rows.map((row) => row.id);
}
