/** Keys that code outside of a query's own file uses. A key stands for all queries whose key begins with it. */
export const QUERY_KEYS = {
  user: ['user'],
  threadLists: ['threads', 'list'],
  waitingThreads: ['threads', 'waiting'],
  archivedThreads: ['threads', 'archived'],
  preferences: ['preferences'],
  image: ['image'],
  sessions: ['sessions'],
  shares: ['shares'],
  ideaTexts: ['idea-texts'],
  sharedConversation: ['shared'],
  admin: ['admin'],
  adminModels: ['admin', 'models'],
  adminSettings: ['admin', 'settings'],
  connections: ['admin', 'connections'],
} as const;
