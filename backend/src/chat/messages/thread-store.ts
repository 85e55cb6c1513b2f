import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { type Owner, trashOf, userOwner } from '../../identity/identity.js';
import { isProjectMember } from '../../projects/project-sql.js';
import { TITLE_ATTEMPTS } from './message-sql.js';

/** Messages that one statement deletes. A thread may have 200,000, which take longer than a statement may. */
const DELETED_MESSAGES = 5_000;

/** The newest go first: an older one would take along those that answer it. */
const DELETE_MESSAGES = `delete from message where id in (
  select id from message where thread_id = any($1::bigint[]) order by id desc limit ${DELETED_MESSAGES}
)`;

async function deleteMessagesOf(manager: EntityManager, threadIds: readonly number[]): Promise<void> {
  for (let count = DELETED_MESSAGES; count === DELETED_MESSAGES;)
    [, count] = await manager.query<[unknown, number]>(DELETE_MESSAGES, [threadIds]);
}

export interface OwnThread {
  id: number;
  activeLeafId: number | null;
  title: string;
  isTemporary: boolean;
  /** The model of its last question; null in a thread without one. */
  modelId: string | null;
  projectId: number | null;
}

/** Where a list shows a thread. Omitted fields keep their value; at most one is true. */
export interface ThreadPlace {
  isPinned?: boolean;
  isArchived?: boolean;
}

export interface ExportedThread extends Omit<OwnThread, 'isTemporary' | 'projectId'> {
  isPinned: boolean;
  isArchived: boolean;
  tools: string[];
  useInstructions: boolean | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Why a thread may be deleted for good. */
const DELETABLE = { expired: 'expires_at < now()', 'in the trash': `owner like 'deleted:%'` };

type Deletable = keyof typeof DELETABLE;

/** At most one of the two is true; null keeps a value. Temporary threads are in no list. */
const organizeThreads = statement<{
  owner: Owner;
  ids: readonly number[];
  isPinned: boolean | null;
  isArchived: boolean | null;
}>(`update thread set
    is_pinned = case when :isArchived::boolean then false else coalesce(:isPinned::boolean, is_pinned) end,
    is_archived = case when :isPinned::boolean then false else coalesce(:isArchived::boolean, is_archived) end
  where id = any(:ids::bigint[]) and owner = :owner and not is_temporary returning id`);

const renameThread = statement<{ owner: Owner; id: number; title: string }>(
  'update thread set title = :title, is_renamed = true where id = :id and owner = :owner',
);

const suggestTitle = statement<{ id: number; before: string; title: string }>(
  `update thread set title = :title, titles_left = 0 where id = :id and title = :before and not is_renamed
  returning owner`,
);

const setUseInstructions = statement<{ owner: Owner; id: number; useInstructions: boolean }>(
  'update thread set use_instructions = :useInstructions where id = :id and owner = :owner',
);

/** The thread of an account is deleted by the retention alone from then on. */
const keepThread = statement<{ owner: Owner; id: number; lifetime: number | null }>(`update thread set
    is_temporary = false, lifetime = :lifetime::float8, expires_at = updated_at + make_interval(secs => :lifetime::float8),
    titles_left = case when is_renamed then 0 else ${TITLE_ATTEMPTS} end
  where id = :id and owner = :owner and is_temporary and expires_at > now()`);

const setActiveLeaf = statement<{ owner: Owner; id: number; leafId: number }>(
  'update thread set active_leaf_id = :leafId where id = :id and owner = :owner',
);

const setTools = statement<{ owner: Owner; id: number; tools: string[] }>(
  'update thread set tools = :tools where id = :id and owner = :owner',
);

/** A project that was left since it was read is not taken. */
const setProject = statement<{ owner: Owner; id: number; projectId: number | null }>(
  `update thread set project_id = :projectId::int where id = :id and owner = :owner
    and (:projectId::int is null or ${isProjectMember(':projectId::int', 'thread.user_id')}) returning id`,
);

/** The threads of the trash too. */
const leaveProject = statement<{ projectId: number; owners: readonly string[] }>(
  'update thread set project_id = null where project_id = :projectId and owner = any(:owners::text[])',
);

const selectAfter = statement<{ owner: Owner; after: number; limit: number }>(`select id, title, model_id as "modelId",
    active_leaf_id as "activeLeafId", is_pinned as "isPinned", is_archived as "isArchived", tools,
    use_instructions as "useInstructions", created_at as "createdAt", updated_at as "updatedAt"
  from thread where owner = :owner and not is_temporary and id > :after order by id limit :limit::int`);

/** Counting ends at the limit. */
const countWithModel = statement<{ modelId: string; limit: number }>(
  'select count(*)::int as threads from (select from thread where model_id = :modelId limit :limit::int) as found',
);

/** Threads of an account do not expire. Temporary ones stay behind. */
const moveToAccount = statement<{ guest: Owner; account: Owner; userId: number }>(
  `update thread set owner = :account, user_id = :userId, expires_at = null, lifetime = null
  where owner = :guest and not is_temporary`,
);

const endTemporary = `update thread set lifetime = 0, expires_at = now() where owner = $1 and is_temporary returning id`;

/** Reads and changes threads. Every statement checks the owner, except those for system tasks. */
@Injectable()
export class ThreadStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replica: ReadReplica,
  ) {}

  /** @returns null for a thread of another owner, and for a guest's thread that has expired */
  async find(owner: Owner, id: number): Promise<OwnThread | null> {
    const rows = await this.dataSource.query<OwnThread[]>(
      `select id, title, active_leaf_id as "activeLeafId", model_id as "modelId",
         is_temporary as "isTemporary", project_id as "projectId" from thread
       where id = $1 and owner = $2 and (expires_at is null or expires_at > now())`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  async isTemporary(id: number): Promise<boolean> {
    const rows = await this.dataSource.query<{ isTemporary: boolean }[]>(
      'select is_temporary as "isTemporary" from thread where id = $1',
      [id],
    );
    return rows[0]?.isTemporary ?? false;
  }

  /** Makes a temporary thread one like the others. @param lifetime seconds after its last message; null for no end */
  async keep(owner: Owner, id: number, lifetime: number | null): Promise<void> {
    await this.dataSource.query(...keepThread({ owner, id, lifetime }));
  }

  /** The last message that was copied from a share link; 0 without such messages. */
  async sharedUntil(id: number): Promise<number> {
    const rows = await this.dataSource.query<{ id: number | null }[]>(
      'select shared_until_id as id from thread where id = $1',
      [id],
    );
    return rows[0]?.id ?? 0;
  }

  /** Threads that go on with a model, counted up to a limit. */
  async countWithModel(modelId: string, limit: number): Promise<number> {
    const rows = await this.dataSource.query<[{ threads: number }]>(...countWithModel({ modelId, limit }));
    return rows[0].threads;
  }

  async rename(owner: Owner, id: number, title: string): Promise<void> {
    await this.dataSource.query(...renameThread({ owner, id, title }));
  }

  /**
   * Takes one of the attempts to get a title.
   * @returns the present title; null without an attempt, and when a person gave it
   */
  async claimTitle(id: number): Promise<string | null> {
    const [rows] = await this.dataSource.query<[{ title: string }[], number]>(
      `update thread set titles_left = titles_left - 1 where id = $1 and titles_left > 0 and not is_renamed
       returning title`,
      [id],
    );
    return rows[0]?.title ?? null;
  }

  /**
   * Sets a generated title in place of the one that `claimTitle` returned.
   * @returns the present owner of the thread; null when the title has changed since
   */
  async suggestTitle(id: number, before: string, title: string): Promise<Owner | null> {
    const [rows] = await this.dataSource.query<[{ owner: Owner }[], number]>(...suggestTitle({ id, before, title }));
    return rows[0]?.owner ?? null;
  }

  /**
   * Pins or archives threads. An archived thread is not pinned: each of the two ends the other.
   * @returns the ids of the changed threads
   */
  async organize(owner: Owner, ids: readonly number[], { isPinned, isArchived }: ThreadPlace): Promise<number[]> {
    const [rows] = await this.dataSource.query<[{ id: number }[], number]>(
      ...organizeThreads({ owner, ids, isPinned: isPinned ?? null, isArchived: isArchived ?? null }),
    );
    return rows.map(({ id }) => id);
  }

  async setUseInstructions(owner: Owner, id: number, useInstructions: boolean): Promise<void> {
    await this.dataSource.query(...setUseInstructions({ owner, id, useInstructions }));
  }

  async setActiveLeaf(owner: Owner, id: number, leafId: number): Promise<void> {
    await this.dataSource.query(...setActiveLeaf({ owner, id, leafId }));
  }

  async setTools(owner: Owner, id: number, tools: string[]): Promise<void> {
    await this.dataSource.query(...setTools({ owner, id, tools }));
  }

  /** @returns false where the owner of the thread does not belong to the project */
  async setProject(owner: Owner, id: number, projectId: number | null): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(...setProject({ owner, id, projectId }));
    return rows.length > 0;
  }

  /** Takes the threads of people out of a project. */
  async leaveProject(manager: EntityManager, projectId: number, userIds: readonly number[]): Promise<void> {
    const owners = userIds.map(userOwner).flatMap((owner) => [owner, trashOf(owner)]);
    await manager.query(...leaveProject({ projectId, owners }));
  }

  /**
   * Locks a thread for its deletion: a concurrent send or restore waits for the same lock.
   * @returns null when the thread is not deletable any more
   */
  async lockDeletable(
    manager: EntityManager,
    id: number,
    condition: Deletable,
  ): Promise<{ owner: string; isTemporary: boolean } | null> {
    const rows = await manager.query<{ owner: string; isTemporary: boolean }[]>(
      `select owner, is_temporary as "isTemporary" from thread where id = $1 and ${DELETABLE[condition]} for update`,
      [id],
    );
    return rows[0] ?? null;
  }

  delete(manager: EntityManager, id: number): Promise<void> {
    return this.deleteMany(manager, [id]);
  }

  async deleteMany(manager: EntityManager, ids: readonly number[]): Promise<void> {
    await deleteMessagesOf(manager, ids);
    await manager.query('delete from thread where id = any($1::bigint[])', [ids]);
  }

  /**
   * Deletes threads of an account that is being deleted, with their messages and generations.
   * @returns their number; 0 when none is left, or a concurrent deletion has locked the rest
   */
  async deleteSomeOf(userId: number, limit: number): Promise<number> {
    const { manager } = this.dataSource;
    const rows = await manager.query<{ id: number }[]>('select id from thread where user_id = $1 limit $2::int', [
      userId,
      limit,
    ]);
    const ids = rows.map(({ id }) => id);
    // Without a transaction: what was deleted before an outage stays deleted.
    await deleteMessagesOf(manager, ids);
    const [, count] = await manager.query<[unknown, number]>(
      `delete from thread where id in (select id from thread where id = any($1::bigint[]) for update skip locked)`,
      [ids],
    );
    return count;
  }

  /** Threads of guests, of the trash and temporary ones that have expired, oldest first. */
  async expired(limit: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      'select id from thread where expires_at < now() order by expires_at limit $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Threads that an export of the owner has. */
  async countOf(owner: Owner): Promise<number> {
    const rows = await this.dataSource.query<[{ threads: number }]>(
      'select count(*)::int as threads from thread where owner = $1 and not is_temporary',
      [owner],
    );
    return rows[0].threads;
  }

  /** Threads of an owner in the order of their ids, for an export. */
  afterId(owner: Owner, after: number, limit: number): Promise<ExportedThread[]> {
    return this.replica.snapshot((run) => run<ExportedThread>(...selectAfter({ owner, after, limit })));
  }

  /** Lets the temporary threads of a guest expire at once. @returns their ids */
  async endTemporary(manager: EntityManager, guest: Owner): Promise<number[]> {
    const [rows] = await manager.query<[{ id: number }[], number]>(endTemporary, [guest]);
    return rows.map(({ id }) => id);
  }

  /** Moves a guest's threads to an account, where they no longer expire. */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner, userId: number): Promise<void> {
    await manager.query(...moveToAccount({ guest, account, userId }));
  }
}
