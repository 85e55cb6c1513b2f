import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest. In a fresh clone Jest knows no times and begins with the largest files, so a small file with
 * much work would run alone at the end. Files that mostly wait for servers would leave the cores idle, all at once at the
 * start as well as alone at the end.
 */
const LONGEST = [
  // The most work.
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

/** Number of other files between two of these, which spreads them over the first part of a run. */
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
