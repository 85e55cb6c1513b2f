import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { type Plugin, type Rolldown, runnerImport } from 'vite';

const FOLDER = join(import.meta.dirname, 'src/texts');
const CATALOGUE = /\/src\/texts\/(spec|en|id)\/(start|more|admin|starters)\.ts$/;
const LANGUAGES = ['spec', 'en', 'id'];

interface Texts {
  [key: string]: string | Texts;
}

/** Builds the catalogues of src/texts and gives first-paint.js what it needs to load and show the first one early. */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    enforce: 'pre',
    async transform(_code, id) {
      const [, language, part] = CATALOGUE.exec(id) ?? [];
      if (!language || !part) return;
      const messages = Object.entries(await read(language, part)).map(([key, text]) => [key, compile(key, text)]);
      return { code: `export default ${JSON.stringify(Object.fromEntries(messages))};`, map: null };
    },
    async generateBundle(_options, bundle) {
      await refuseLateTexts(bundle, (message) => this.error(message));
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (_html, { bundle }) => {
        if (!bundle) return;
        const first = await Promise.all(
          LANGUAGES.map(async (language) => [language, await firstTexts(language, bundle)]),
        );
        const content = JSON.stringify(Object.fromEntries(first));
        return [{ tag: 'meta', attrs: { name: 'catalogues', content }, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** The texts of a part by key. Those that a language does not have are taken from `spec`. */
async function read(language: string, part: string): Promise<Record<string, string>> {
  const own = await load(language, part);
  return language === 'spec' ? own : { ...(await load('spec', part)), ...own };
}

async function load(language: string, part: string): Promise<Record<string, string>> {
  const resolve = { conditions: ['@tanya/source', 'node', 'import'], noExternal: ['@tanya/contract'] };
  const options = { configFile: false as const, environments: { inline: { resolve } } };
  const { module } = await runnerImport<{ default: Texts }>(join(FOLDER, language, `${part}.ts`), options);
  return flatten(module.default);
}

function flatten(texts: Texts, path = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([name, text]) =>
      typeof text === 'string' ? { [path + name]: text } : flatten(text, `${path}${name}.`),
    ),
  ) as Record<string, string>;
}

/** Lingui reads compiled messages in a production build. A text that is no valid ICU message fails the build. */
function compile(key: string, text: string): unknown {
  try {
    return compileMessageOrThrow(text);
  } catch (error) {
    throw new Error(`The text ${key} is not a valid ICU message: ${text}`, { cause: error });
  }
}

/** The URL of a language's first catalogue, and the texts of the first paint. */
async function firstTexts(language: string, bundle: Rolldown.OutputBundle): Promise<Record<string, string>> {
  const isCatalogue = (id: string) => id.endsWith(`/src/texts/${language}/start.ts`);
  const chunk = Object.values(bundle).find(
    (output) => output.type === 'chunk' && isCatalogue(output.facadeModuleId ?? ''),
  );
  if (!chunk) throw new Error(`The build has no chunk of ${language}/start.ts`);
  const texts = await read(language, 'start');
  return {
    url: `/${chunk.fileName}`,
    siteTitle: texts['defaults.siteTitle'] ?? '',
    welcomeMessage: texts['defaults.welcomeMessage'] ?? '',
    placeholder: texts['composer.placeholder'] ?? '',
  };
}

/** Refuses a build whose initial code uses texts of a later part, because they may not have loaded. */
async function refuseLateTexts(bundle: Rolldown.OutputBundle, fail: (message: string) => void): Promise<void> {
  const late = new Set([...Object.keys(await load('spec', 'more')), ...Object.keys(await load('spec', 'admin'))]);
  const initial = new Set<string>();
  const visit = (name: string) => {
    const output = bundle[name];
    if (output?.type !== 'chunk' || initial.has(name)) return;
    initial.add(name);
    output.imports.forEach(visit);
  };
  for (const [name, output] of Object.entries(bundle)) if (output.type === 'chunk' && output.isEntry) visit(name);
  for (const name of initial) {
    const { code } = bundle[name] as Rolldown.OutputChunk;
    const used = [...code.matchAll(/["'`](\w+\.[\w-]+)["'`]/g)]
      .map(([, key]) => key ?? '')
      .filter((key) => late.has(key));
    if (used.length > 0)
      fail(`The initial code uses texts that load later: ${used.join(', ')}. Move them to start.ts.`);
  }
}
