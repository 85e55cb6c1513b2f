import { parseArgs } from 'node:util';

/** Options of `npm run faults`: their type, their default and what the usage says about them. */
const OPTIONS = {
  rounds: { type: 'string', default: '1', argument: 'N', text: 'rounds, each with every kind once' },
  seed: { type: 'string', default: '1', argument: 'N', text: 'seed of the random choices' },
  jobs: { type: 'string', default: '1', argument: 'N', text: 'rounds that run at once' },
  only: { type: 'string', argument: 'F3,F60*', text: 'these kinds alone' },
  quick: { type: 'boolean', default: false, text: 'the kinds of npm test' },
  'true-timings': { type: 'boolean', default: false, text: 'timings of production' },
  fleet: { type: 'boolean', default: false, text: 'nodes behind nginx, a Redis Cluster and a Postgres pair' },
  streams: { type: 'string', argument: 'N', text: 'concurrent streams of a fleet' },
  soak: { type: 'string', argument: 'N', text: 'N sends under mixed faults' },
  resumes: { type: 'string', argument: 'N', text: 'N resumes of running answers' },
  costs: { type: 'boolean', default: false, text: 'the costs of docs/scaling.md' },
  resume: { type: 'string', argument: 'FILE', text: 'writes results to a file, and continues a run from it' },
  json: { type: 'boolean', default: false, text: 'prints each injection as JSON' },
  help: { type: 'boolean', default: false, text: 'prints this text' },
};

const NUMBERS = ['rounds', 'seed', 'jobs', 'streams', 'soak', 'resumes'];

export function usage() {
  const lines = Object.entries(OPTIONS).map(([name, { argument, text, default: initial }]) => {
    const flag = `  --${name}${argument === undefined ? '' : ` ${argument}`}`;
    return `${flag.padEnd(22)}${text}${typeof initial === 'string' ? ` (${initial})` : ''}`;
  });
  return [
    'Usage: npm run faults -- [options]',
    '',
    'Injects faults into the built product and verifies the invariants of docs/faults.md.',
    '',
    ...lines,
  ].join('\n');
}

/** @throws Error for an unknown option, or an argument that is not a whole number */
export function readOptions(args) {
  const options = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { type, default: initial }]) => [
      name,
      initial === undefined ? { type } : { type, default: initial },
    ]),
  );
  const { values } = parseArgs({ args, options });
  for (const name of NUMBERS) {
    if (values[name] !== undefined && !/^\d+$/.test(values[name])) throw new Error(`--${name} needs a whole number`);
  }
  return values;
}
