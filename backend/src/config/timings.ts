/**
 * Intervals, timeouts and lifetimes of the server, in milliseconds. They stand in one place so that the fault-injection
 * harness can scale them; `createApp({ timings })` is the only way to change them.
 */
export interface Timings {
  nodeBeat: number;
  /** A node without a heartbeat for this long is dead. */
  nodeDead: number;
  /** Interval of the reaper that finalizes orphans, and of the expiry of approvals. */
  nodeReap: number;
  /** Interval at which a run's text is checkpointed to Postgres. */
  checkpoint: number;
  logFlush: number;
  shutdownGrace: number;
  firstToken: number;
  idle: number;
  /** How long the fallbacks of one answer may take together to the first part, after the asked model has failed. */
  fallbackWait: number;
  /** How long the head of a stream of the public API waits for the first part, which tells the model that answers. */
  modelHeader: number;
  /** How long calls of a suspended answer wait for approval. */
  approval: number;
  toolCall: number;
  search: number;
  connectionTest: number;
  connect: number;
  /** From the end of an answer until a title of its thread is asked for, so that the next question goes first. */
  titlePause: number;
  /**
   * After this time the answer becomes a storage error; retries continue until it is stored, or until the node shuts
   * down.
   */
  settleRetry: number;
  /** Timeout of a stop on another node; the node that asked then stops the generation itself. */
  remoteStop: number;
  /** A day in the lifetime of a guest's thread. */
  guestThread: number;
  /** Lifetime of a temporary thread after its last message. */
  temporaryThread: number;
  /** How long a deleted thread can be restored. The page offers it for 10 seconds. */
  threadTrash: number;
  /** Interval at which expired threads are deleted: those of guests, temporary ones and those in the trash. */
  threadSweep: number;
  /** Interval at which a sweep of the retention may begin; the first one follows a start. */
  retentionLook: number;
  /** Age at which a call of the site or for a summary belongs to a dead node, and the interval of its settlement. */
  siteCall: number;
  /** Interval at which interrupted deletions of accounts are completed. */
  accountSweep: number;
  /** Interval at which logins are deleted that the audit log no longer keeps. */
  loginSweep: number;
  /** Retention of the log of a finished generation. */
  logRetention: number;
  /** How long a stored response of the public API runs without a reader of its stream. */
  unreadResponse: number;
  /** Longest silence of an open stream of the public API: a comment ends it. */
  keepAlive: number;
  storedResponse: number;
  responseSweep: number;
  /** Interval at which the sessions of open sockets are verified. */
  sessionWatch: number;
  /** Timeout of Postgres and Redis at the start. */
  startTimeout: number;
  rolloutWait: number;
  fileSweep: number;
  orphanFile: number;
  /** Delay before the first retry of a mail; doubles with each retry. Also the interval at which waiting mail is looked for. */
  mailRetry: number;
  /** Interval at which occasions of alerts are looked for. */
  alertWatch: number;
  /** Delay before the first repetition of an alert; doubles with each, up to an hour. Also how often waiting ones are looked for. */
  alertRetry: number;
  /** Interval at which a node looks for files of projects that no node reads. */
  projectQueue: number;
  /** How long a file of a project belongs to a node that no longer says that it reads it. */
  projectLease: number;
  /** Interval at which settled usage records are moved into the daily rollup. */
  usageRollup: number;
  /** Delay after the start before the image library is checked, which loads it in a process of its own. */
  imageCheck: number;
  traceExport: number;
  /** Time before a large body must arrive at 256 kB a second, and the longest time it may take. */
  bodyGrace: number;
  bodyMost: number;
}

export const TIMINGS = Symbol('TIMINGS');

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const DEFAULT_TIMINGS: Timings = {
  nodeBeat: 5 * SECOND,
  nodeDead: 30 * SECOND,
  nodeReap: 10 * SECOND,
  checkpoint: SECOND,
  logFlush: 500,
  shutdownGrace: 25 * SECOND,
  firstToken: 60 * SECOND,
  idle: 30 * SECOND,
  fallbackWait: 30 * SECOND,
  modelHeader: 15 * SECOND,
  approval: 24 * 60 * MINUTE,
  toolCall: 30 * SECOND,
  search: 10 * SECOND,
  connectionTest: 8 * SECOND,
  connect: 10 * SECOND,
  titlePause: 2 * SECOND,
  settleRetry: 60 * SECOND,
  remoteStop: 1500,
  guestThread: 24 * 60 * MINUTE,
  temporaryThread: 24 * 60 * MINUTE,
  threadTrash: 15 * SECOND,
  threadSweep: 30 * SECOND,
  retentionLook: 15 * SECOND,
  siteCall: 10 * MINUTE,
  accountSweep: 10 * MINUTE,
  loginSweep: 60 * MINUTE,
  logRetention: 10 * MINUTE,
  unreadResponse: MINUTE,
  keepAlive: 15 * SECOND,
  storedResponse: 30 * 24 * 60 * MINUTE,
  responseSweep: 60 * MINUTE,
  sessionWatch: MINUTE,
  startTimeout: 60 * SECOND,
  rolloutWait: 60 * SECOND,
  fileSweep: 60 * MINUTE,
  orphanFile: 24 * 60 * MINUTE,
  mailRetry: 30 * SECOND,
  alertWatch: 30 * SECOND,
  alertRetry: 10 * SECOND,
  projectQueue: 5 * SECOND,
  projectLease: 20 * SECOND,
  usageRollup: MINUTE,
  imageCheck: 5 * SECOND,
  traceExport: 2 * SECOND,
  bodyGrace: 5 * SECOND,
  bodyMost: MINUTE,
};
