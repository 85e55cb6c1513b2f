import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const module = new URL('system-program.mjs', import.meta.url).href;
const browsers = new URL('chromium.mjs', import.meta.url).href;

/** Like apt-get, it fails while another one runs. It needs package lists, and its packages are programs of their name. */
const APT_GET = `#!/bin/sh
cd "$(dirname "$0")"
mkdir running || { echo 'E: Could not get lock' >&2; exit 100; }
sleep 0.3
rmdir running
for argument in "$@"; do package=$argument; done
case "$*" in
  *update*) touch lists ;;
  *) [ -f lists ] && printf '#!/bin/sh' > "$package" && chmod +x "$package" ;;
esac
`;

// apt-get and flock are programs of Linux.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('systemProgram', () => {
  let folder;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tanya-apt-'));
    program('apt-get', APT_GET);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('installs packages that several processes ask for at the same time', async () => {
    const names = ['tanya-one', 'tanya-two', 'tanya-three'];
    const found = await Promise.all(names.map(systemProgram));
    expect(found.map(({ stderr }) => stderr)).toEqual(['', '', '']);
    expect(found.map(({ path }) => path)).toEqual(names.map((name) => join(folder, name)));
  });

  test('installs the headless shell of Chromium beside a Chromium', async () => {
    program('chromium', '#!/bin/sh');
    const { path } = await printedByRoot(`
      const { headlessChromium } = await import(${JSON.stringify(browsers)});
      process.stdout.write(headlessChromium());`);
    expect(path).toMatch(/\/chromium-headless-shell$/);
  });

  function program(name, script) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }

  /** The program that a process of root gets when it finds the programs of `folder` first. */
  const systemProgram = (name) =>
    printedByRoot(`
      const { systemProgram } = await import(${JSON.stringify(module)});
      process.stdout.write(systemProgram({ names: ['${name}'], aptPackage: '${name}' }));`);

  async function printedByRoot(script) {
    const whole = `process.getuid = () => 0; console.log = () => {}; ${script}`;
    const paths = { CHROMIUM_PATH: '', PATH: `${folder}${delimiter}${process.env.PATH}` };
    const env = { ...process.env, NODE_OPTIONS: '', ...paths };
    const child = spawn(process.execPath, ['--input-type=module', '-e', whole], { env });
    const output = { path: '', stderr: '' };
    child.stdout.on('data', (chunk) => (output.path += chunk));
    child.stderr.on('data', (chunk) => (output.stderr += chunk));
    await new Promise((resolve) => child.once('close', resolve));
    return output;
  }
});
