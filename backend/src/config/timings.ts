const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Intervals, timeouts and lifetimes of the server, in milliseconds. They stand in one place so that the fault-injection
 * harness can scale them; `createApp({ timings })` is the only way to change them.
 */
export const DEFAULT_TIMINGS = {
  /** Interval at which a node stores its heartbeat, then ends the orphans of dead nodes. */
  nodeBeat: 10 * SECOND,
  /** A node without a heartbeat for this long is dead. */
  nodeDead: 30 * SECOND,
  /** Interval at which a run's text is checkpointed to Postgres. */
  checkpoint: SECOND,
  logFlush: 500,
  shutdownGrace: 25 * SECOND,
  firstToken: 60 * SECOND,
  idle: 30 * SECOND,
  /** How long the fallbacks of one answer may take together to the first part, after the asked model has failed. */
  fallbackWait: 30 * SECOND,
  /** How long the head of a stream of the public API waits for the first part, which tells the model that answers. */
  modelHeader: 15 * SECOND,
  /** How long calls of a suspended answer wait for approval. */
  approval: 24 * 60 * MINUTE,
  toolCall: 30 * SECOND,
  search: 10 * SECOND,
  connectionTest: 8 * SECOND,
  connect: 10 * SECOND,
  /** From the end of an answer until a title of its thread is asked for, so that the next question goes first. */
  titlePause: 2 * SECOND,
  /**
   * After this time the answer becomes a storage error; retries continue until it is stored, or until the node shuts
   * down.
   */
  settleRetry: 60 * SECOND,
  /** Timeout of a stop on another node; the node that asked then stops the generation itself. */
  remoteStop: 1500,
  /** A day in the lifetime of a guest's thread. */
  guestThread: 24 * 60 * MINUTE,
  /** Lifetime of a temporary thread after its last message. */
  temporaryThread: 24 * 60 * MINUTE,
  /** How long a deleted thread can be restored. The page offers it for 10 seconds. */
  threadTrash: 15 * SECOND,
  /**
   * Interval at which expired threads are deleted (those of guests, temporary ones and those in the trash), and at which
   * approvals expire.
   */
  threadSweep: 30 * SECOND,
  /** Interval at which a sweep of the retention may begin; the first one follows a start. */
  retentionLook: MINUTE,
  /** Age at which a call of the site or for a summary belongs to a dead node, and the interval of its settlement. */
  siteCall: 10 * MINUTE,
  /** Interval at which interrupted deletions of accounts are completed. */
  accountSweep: 10 * MINUTE,
  /** Interval at which logins are deleted that the audit log no longer keeps. */
  loginSweep: 60 * MINUTE,
  /** Retention of the log of a finished generation. */
  logRetention: 10 * MINUTE,
  /** How long a stored response of the public API runs without a reader of its stream. */
  unreadResponse: MINUTE,
  /** Longest silence of an open stream of the public API: an event with data ends it. */
  keepAlive: 15 * SECOND,
  storedResponse: 30 * 24 * 60 * MINUTE,
  responseSweep: 60 * MINUTE,
  /** Interval at which the sessions of open sockets are verified. */
  sessionWatch: MINUTE,
  /** Timeout of Postgres and Redis at the start. */
  startTimeout: 60 * SECOND,
  rolloutWait: 60 * SECOND,
  fileSweep: 60 * MINUTE,
  orphanFile: 24 * 60 * MINUTE,
  /** Delay before the first retry of a mail; doubles with each retry. Also the interval at which waiting mail is looked for. */
  mailRetry: 30 * SECOND,
  /** Interval at which occasions of alerts are looked for. */
  alertWatch: 30 * SECOND,
  /** Delay before the first repetition of an alert; doubles with each, up to an hour. Also how often waiting ones are looked for. */
  alertRetry: 10 * SECOND,
  /** Interval at which a node looks for files of projects that no node reads. */
  projectQueue: 15 * SECOND,
  /** How long a file of a project belongs to a node that no longer says that it reads it. */
  projectLease: 20 * SECOND,
  /** Interval at which a node looks for files of projects whose words an earlier version has made. */
  wordsRenewal: MINUTE,
  /** Interval at which settled usage records are moved into the daily rollup. */
  usageRollup: MINUTE,
  /** Delay after the start before the image library is checked, which loads it in a process of its own. */
  imageCheck: 5 * SECOND,
  traceExport: 2 * SECOND,
  /** Time before a large body must arrive at 256 kB a second, and the longest time it may take. */
  bodyGrace: 5 * SECOND,
  bodyMost: MINUTE,
};

export type Timings = typeof DEFAULT_TIMINGS;

export const TIMINGS = Symbol('TIMINGS');
