import Sequencer from '@jest/test-sequencer';

/**
 * Files that mostly wait for servers, up to a minute. At the end of a run they would wait alone, and all at once at the
 * start they would leave the cores idle.
 */
const LONGEST = [
  'tls/redis-tls.integration',
  'redis/redis-cluster.integration',
  'redis/redis-sentinel.integration',
  'redis/redis-start.integration',
  'platform/worker-restarts.integration',
  'public-api/responses-nodes.integration',
  'imports/import-starts.integration',
];

const isLongest = ({ path }) => LONGEST.some((name) => path.includes(name));

/** Number of other files between two of the longest: as many as three workers run meanwhile. */
const INTERVAL = 8;

/** Order of test files of Jest (`testSequencer`): one of the longest after each interval, the others in Jest's order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const others = sorted.filter((test) => !isLongest(test));
    const begin = sorted.filter(isLongest).flatMap((test) => [test, ...others.splice(0, INTERVAL)]);
    return [...begin, ...others];
  }
}
