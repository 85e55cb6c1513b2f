/**
 * Every wait of the server, in milliseconds, in one place so that a fault harness can scale them.
 * They enter through `createApp({ timings })` only.
 */
export interface Timings {
  /** A node's sign of life. */
  nodeBeat: number;
  /** Silent for this long, a node is dead. */
  nodeDead: number;
  /** How often dead nodes' generations are looked for. */
  nodeSweep: number;
  /** Text of running generations goes to Postgres this often. */
  checkpoint: number;
  /** Events go to the generation log this often. */
  logFlush: number;
  /** Running generations may go on for this long after SIGTERM. */
  shutdownGrace: number;
  /** Until the model's first token. */
  firstToken: number;
  /** Between two tokens. */
  idle: number;
  /** Until a provider accepts the connection. */
  connect: number;
  /** How long a terminal state is tried to be stored before it becomes a storage error. */
  settleRetry: number;
  /** How long another node may take to carry out a stop before this one does it. */
  remoteStop: number;
  /** A guest's thread lives this long. */
  guestThread: number;
  /** How long the log of a finished generation is kept. */
  logRetention: number;
  /** How often open sockets are asked whether their session still holds. */
  sessionWatch: number;
  /** How long the start waits for Postgres and Redis. */
  startPatience: number;
  /** How often files that nothing uses are looked for. */
  fileSweep: number;
  /** A file that no thread uses lives this long. */
  orphanFile: number;
}

export const TIMINGS = Symbol('TIMINGS');

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const DEFAULT_TIMINGS: Timings = {
  nodeBeat: 5 * SECOND,
  nodeDead: 30 * SECOND,
  nodeSweep: 10 * SECOND,
  checkpoint: SECOND,
  logFlush: 100,
  shutdownGrace: 25 * SECOND,
  firstToken: 60 * SECOND,
  idle: 30 * SECOND,
  connect: 10 * SECOND,
  settleRetry: 60 * SECOND,
  remoteStop: 1500,
  guestThread: 24 * 60 * MINUTE,
  logRetention: 10 * MINUTE,
  sessionWatch: MINUTE,
  startPatience: 60 * SECOND,
  fileSweep: 60 * MINUTE,
  orphanFile: 24 * 60 * MINUTE,
};
