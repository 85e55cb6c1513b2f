import Sequencer from '@jest/test-sequencer';

/** Files that mostly wait for servers, up to a minute. At the end of a run they would wait alone. */
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

/** Order of test files of Jest (`testSequencer`): the longest first, the others in Jest's order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
}
