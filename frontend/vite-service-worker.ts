import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify, type Plugin, type Rolldown } from 'vite';

/** Lazy code that chats are read with: no admin pages, no diagrams, no dialogs. */
const OF_CHATS =
  /frontend\/src\/(routes\/(index|chat)|features\/chat\/|features\/sidebar\/|features\/markdown\/(?!code\/(mermaid|preview))|texts\/(?!.*admin)|app\/)/;
const FONTS = /(inter-latin|jetbrains-mono-latin)-wght-normal[^/]*\.woff2$/;
const PLACE = 'const SHELL = [];';

/** Files beside the assets, which have no hash in their names. */
const PLAIN = ['/', '/first-paint.js', '/icon.svg'];

/** Writes the files that show chats into the service worker. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    async writeBundle({ dir = '' }, bundle) {
      const path = join(dir, 'sw.js');
      const source = await readFile(path, 'utf8');
      if (!source.includes(PLACE)) this.error(`sw.js has no line "${PLACE}".`);
      const files = [...PLAIN, ...shellOf(bundle).map((file) => `/${file}`)].toSorted();
      const filled = source.replace(PLACE, `const SHELL = ${JSON.stringify(files)};`);
      const { code, errors } = await minify('sw.js', filled);
      if (errors[0]) this.error(`sw.js: ${errors[0].message}`);
      await writeFile(path, code);
    },
  };
}

function shellOf(bundle: Rolldown.OutputBundle): string[] {
  const shell = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || shell.has(name)) return;
    shell.add(name);
    for (const css of chunk.viteMetadata?.importedCss ?? []) shell.add(css);
    for (const imported of chunk.imports) add(imported);
    for (const imported of chunk.dynamicImports) {
      const target = bundle[imported];
      if (target?.type === 'chunk' && OF_CHATS.test(target.facadeModuleId ?? '')) add(imported);
    }
  };
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.isEntry) add(file.fileName);
    if (file.type === 'asset' && FONTS.test(file.fileName)) shell.add(file.fileName);
  }
  return [...shell];
}
