import Sequencer from '@jest/test-sequencer';

/**
 * The longest files, the first one first. In a fresh clone Jest knows no times and begins with large files: a short file with
 * much work would run alone at the end. So would those that mostly wait for servers; all at once at the start, these would
 * leave the cores idle.
 */
const LONGEST = [
  // About a minute of work or more each.
  'one-request/one-request.integration',
  'fuzz/fuzz.integration',
  'security/routes.integration',
  // Up to a minute of waiting.
  'tls/redis-tls.integration',
  'redis/redis-cluster.integration',
  'redis/redis-sentinel.integration',
  'redis/redis-start.integration',
  'platform/worker-restarts.integration',
  'public-api/responses-nodes.integration',
  'imports/import-starts.integration',
];

const placeOf = ({ path }) => LONGEST.findIndex((name) => path.includes(name));
const isLongest = (test) => placeOf(test) >= 0;

/** Number of other files between two of the longest: as many as three workers run meanwhile. */
const INTERVAL = 8;

/** Order of test files of Jest (`testSequencer`): one of the longest after each interval, the others in Jest's order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const others = sorted.filter((test) => !isLongest(test));
    const longest = sorted.filter(isLongest).toSorted((a, b) => placeOf(a) - placeOf(b));
    const begin = longest.flatMap((test) => [test, ...others.splice(0, INTERVAL)]);
    return [...begin, ...others];
  }
}
