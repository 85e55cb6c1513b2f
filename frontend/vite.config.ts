import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Global, type GlobalProps } from '@emotion/react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { defineConfig, minify, type Plugin, runnerImport } from 'vite';
import { catalogues } from './vite-catalogues';
import { serviceWorker } from './vite-service-worker';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3000';

const OWN_CSS = join(import.meta.dirname, 'src/app/base.css');
const SYSTEM_MODULE = '@chakra-ui/react/dist/esm/styled-system/system.js';
/**
 * The recipes of src/app/theme/late-recipes.ts, with the names of their parts. Chakra exports all recipes from one module,
 * so that without this rule they would count as initial.
 */
const LATE_RECIPES =
  /anatomy\.m?js$|@zag-js\/anatomy\/|\/theme\/recipes\/(accordion|badge|checkbox|checkmark|code|dialog|drawer|field|fieldset|kbd|link|menu|native-select|popover|progress|select|switch|table|tabs|toast)\.js$/;
/** Libraries of lazy code: icons and plain elements, and those of dialogs, menus and form fields. */
const ELEMENTS = /lucide-react|@chakra-ui\/.*\/(code|grid|icon|kbd|mark|simple-grid)\//;
const OVERLAYS = /@ark-ui|@zag-js|@floating-ui|@chakra-ui/;
/** The small modules of messages, buttons and pages. */
const PARTS =
  /frontend\/src\/(app|components\/(?!buttons\/anchored-menu|dialogs|feedback\/toast|files\/file-kinds|forms|sign-in|tables)|features\/chat)/;
const PREFLIGHT = "import { createPreflight } from './preflight.js';";
const GLOBAL_STYLES = '[getPreflightCss(), getGlobalCss(), getTokenCss()]';

/**
 * Writes Chakra's reset, tokens and global styles into the style sheet, before our own rules. Computed in the browser they
 * would take a fifth of the startup on a phone and delay the first styled paint.
 */
function themeAsStyleSheet(): Plugin {
  const renderStyles = async () => {
    const { module } = await runnerImport<{ globalStyles: () => GlobalProps['styles'] }>(
      join(import.meta.dirname, 'src/app/theme/theme-globals.ts'),
    );
    const element = renderToStaticMarkup(createElement(Global, { styles: module.globalStyles() }));
    return element.replace(/<\/?style[^>]*>/g, '');
  };
  return {
    name: 'theme-as-style-sheet',
    enforce: 'pre',
    async transform(code, id) {
      if (id === OWN_CSS) return (await renderStyles()) + code;
      if (!id.endsWith(SYSTEM_MODULE)) return;
      if (!code.includes(GLOBAL_STYLES) || !code.includes(PREFLIGHT))
        this.error('Chakra changed how it registers global styles; update GLOBAL_STYLES and PREFLIGHT.');
      return code.replace(GLOBAL_STYLES, '[]').replace(PREFLIGHT, 'const createPreflight = () => ({});');
    },
  };
}

/** Leaves out the stock colours, which theme-tokens.ts replaces: they are 1 kB of the first JavaScript. */
function withoutStockColours(): Plugin {
  return {
    name: 'without-stock-colours',
    apply: 'build',
    transform: {
      filter: { id: /@chakra-ui\/react\/dist\/esm\/theme\/tokens\/colors\.js$/ },
      handler: () => ({ code: 'export const colors = {};', map: null }),
    },
  };
}

/** Leaves out the keys of the lines of icons, which React reads in lists that change. They are 0.6 kB of the first JavaScript. */
function withoutIconKeys(): Plugin {
  return {
    name: 'without-icon-keys',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({ code: code.replaceAll(/, key: "[a-z\d]+"/g, ''), map: null }),
    },
  };
}

/**
 * Loads the libraries with low priority: they are most of the bytes, and the first paint does not need them. As a script of
 * their own they run in a task of their own, before the entry, which would hold a slow phone for twice as long with them.
 */
function startWithLibraries(): Plugin {
  return {
    name: 'start-with-libraries',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const [, libraries] = /<link rel="modulepreload"[^>]* href="([^"]*\/libraries-[^"]*)"/.exec(html) ?? [];
        if (!libraries) return html;
        return html
          .replace(/<link rel="modulepreload"(?=[^>]*\/libraries-)/, '$& fetchpriority="low"')
          .replace(
            '<script type="module"',
            `<script type="module" fetchpriority="low" crossorigin src="${libraries}"></script>\n    $&`,
          );
      },
    },
  };
}

/** Minifies the scripts of public/, which Vite copies as they are. The first paint waits for one of them. */
function minifyPublicScripts(): Plugin {
  return {
    name: 'minify-public-scripts',
    async writeBundle({ dir = '' }) {
      for (const name of ['first-paint.js', 'first-paint-share.js']) {
        const path = join(dir, name);
        const { code, errors } = await minify(name, await readFile(path, 'utf8'));
        if (errors[0]) this.error(`${name}: ${errors[0].message}`);
        await writeFile(path, code);
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/app/route-tree.gen.ts',
      routeTreeFileHeader: ['// Written by the router plugin from src/routes.'],
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    themeAsStyleSheet(),
    withoutIconKeys(),
    withoutStockColours(),
    catalogues(),
    startWithLibraries(),
    minifyPublicScripts(),
    serviceWorker(),
  ],
  resolve: {
    conditions: ['@tanya/source', 'module', 'browser', 'development|production'],
    // The shim is for React before 18.
    alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }],
  },
  server: {
    proxy: {
      // The server compares Origin with Host, so the proxy must not change Host.
      '^/api/': { target: backend, changeOrigin: false },
      '^/preview$': { target: backend, changeOrigin: false },
      '/socket.io': { target: backend, changeOrigin: false, ws: true },
    },
  },
  build: {
    manifest: true,
    target: 'es2022',
    // Browsers without module preload load the modules slightly later; a polyfill for all of them is not worth its bytes.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The initial code names a hundred chunks, and letters of hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // The initial code is two chunks: libraries, which seldom change, and our own. Dozens of chunks shared with lazy
        // routes would compress worse and cost a request each.
        codeSplitting: {
          groups: [
            // The barrel of the contract makes its limits reachable from the start, which does not use them.
            { name: 'limits', test: /contract\/src\/limits\.ts$/ },
            { name: 'late-recipes', test: LATE_RECIPES, includeDependenciesRecursively: false },
            { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
            // Without these groups, modules that lazy chunks share would be a hundred more chunks. No group may import
            // one below it.
            { name: 'elements', test: ELEMENTS, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'overlays', test: OVERLAYS, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'parts', test: PARTS, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
      treeshake: {
        // Emotion imports them for a function that nobody calls.
        moduleSideEffects: [{ test: /node_modules\/(hoist-non-react-statics|react-is)\//, sideEffects: false }],
        // Chakra defines every stock recipe in one module; these calls have no effect, so unused recipes can go.
        manualPureFunctions: [
          'defineConfig',
          'defineRecipe',
          'defineSlotRecipe',
          'defineTokens',
          'defineSemanticTokens',
          'createAnatomy',
        ],
      },
    },
  },
});
