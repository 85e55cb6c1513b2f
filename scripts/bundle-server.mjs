import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './build-steps.mjs';

const compiled = join(root, 'backend/dist');
const folder = join(compiled, 'bundle');
/** The version of the last build, a hash of its code, and the names of its files. */
const description = join(folder, 'build.json');
const DAY_MS = 86_400_000;

/** Modules that processes start with: the server, and the parts of it that fault injection starts and changes. */
const ENTRIES = ['main.js', 'app.js', 'config/env.js', 'tools/tool-registry.js'];

/** Packages that stay in `node_modules`. */
const EXTERNAL = [
  // Native code, and a worker in a file of its own.
  'sharp',
  '@node-rs/argon2',
  'pino',
  // They read files of their folder.
  'ioredis',
  'connect-pg-simple',
  // NestJS and the API documentation read its descriptions of classes with a `require`, which a bundler does not see.
  'class-transformer',
  // It has to run before the classes that it describes.
  'reflect-metadata',
  // Fault injection replaces its queries.
  'pg',
];

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** It would load a second TypeORM, because a bundler does not see its `require`. */
const TYPEORM_REQUIRE = /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/;

const withSlashes = (path) => path.replaceAll('\\', '/');

/** Compiled modules find other files by their own address. */
const addresses = {
  name: 'addresses',
  transform(code, id) {
    const file = withSlashes(id);
    if (TYPEORM_REQUIRE.test(file)) {
      return `import * as typeorm from 'typeorm';\n${code.replace('createRequire(import.meta.url)', '() => typeorm')}`;
    }
    const prefix = `${withSlashes(compiled)}/`;
    if (!file.startsWith(prefix)) return null;
    if (/import\.meta\.(dirname|filename)/.test(code))
      throw new Error(`${file}: use import.meta.url, which is replaced.`);
    return code.replaceAll('import.meta.url', `new URL('../${file.slice(prefix.length)}', import.meta.url).href`);
  },
};

/**
 * Bundles the compiled server with its packages into `backend/dist/bundle`: 30 files load in half of the time of 2,900.
 * Scripts and child processes use the compiled modules.
 */
const bundle = await rolldown({
  input: ENTRIES.map((entry) => join(compiled, entry)),
  platform: 'node',
  // The compiled modules need none, and the image lacks a part of what `tsconfig.json` names.
  tsconfig: false,
  plugins: [addresses],
  external: (id) => isBuiltin(id) || EXTERNAL.includes(packageOf(id)),
  // TypeORM and NestJS name packages that are not installed, and load them only when they are used.
  checks: { unresolvedImport: false },
});
// TypeORM and NestJS read the names of classes.
const { output } = await bundle.generate({ keepNames: true });
mkdirSync(folder, { recursive: true });
// A server that starts meanwhile finds what the entries import.
const entriesLast = output.toSorted((one, other) => Number(one.isEntry) - Number(other.isEntry));
for (const { fileName, code } of entriesLast) writeFileSync(join(folder, fileName), code);
const files = output.map(({ fileName }) => fileName);
replaceFiles(files);
const hash = createHash('sha256');
for (const { fileName, code } of output) hash.update(`${fileName}\0${code}\0`);
writeFileSync(description, JSON.stringify({ version: hash.digest('hex').slice(0, 16), files }));

/** Removes files a day after a build has replaced them: until then, a server that still runs may load them. */
function replaceFiles(current) {
  const replaced = existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')).files : [];
  const now = new Date();
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (file === description || current.includes(name)) continue;
    if (replaced.includes(name)) utimesSync(file, now, now);
    else if (statSync(file).mtimeMs < now.getTime() - DAY_MS) rmSync(file);
  }
}
