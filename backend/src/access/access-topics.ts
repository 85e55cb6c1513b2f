import { topic } from '../platform/bus/bus.js';

/** Members of groups, or what groups give them, changed; `userIds` null: of all groups. */
export const groupsChanged = topic<{ userIds: number[] | null }>('groups:changed');
