import { join } from 'node:path';
import { Global, type GlobalProps } from '@emotion/react';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { defineConfig, type Plugin, runnerImport } from 'vite';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3000';

const OWN_CSS = join(import.meta.dirname, 'src/app/base.css');
const SYSTEM_MODULE = '@chakra-ui/react/dist/esm/styled-system/system.js';
const GLOBAL_STYLES = '[getPreflightCss(), getGlobalCss(), getTokenCss()]';

/**
 * Puts Chakra's reset, tokens and global styles before our own in the style sheet. Worked out by each page as it starts
 * they would take a fifth of its time on a phone, and nothing could be styled before.
 */
function themeAsStyleSheet(): Plugin {
  const written = async () => {
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
      if (id === OWN_CSS) return (await written()) + code;
      if (!id.endsWith(SYSTEM_MODULE)) return;
      if (!code.includes(GLOBAL_STYLES)) this.error('Chakra writes its global styles in another way now.');
      return code.replace(GLOBAL_STYLES, '[]');
    },
  };
}

/** Nothing of the first paint is in the libraries, and they are most of the bytes: the style sheet and the first texts go ahead. */
function librariesGiveWay(): Plugin {
  return {
    name: 'libraries-give-way',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<link rel="modulepreload"(?=[^>]*\/libraries-)/, '$& fetchpriority="low"'),
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
    librariesGiveWay(),
  ],
  resolve: { conditions: ['@tanya/source', 'module', 'browser', 'development|production'] },
  server: {
    proxy: {
      // The server compares the Origin with the Host, so the Host has to arrive as the browser sent it.
      '^/api/': { target: backend, changeOrigin: false },
      '/socket.io': { target: backend, changeOrigin: false, ws: true },
    },
  },
  build: {
    manifest: true,
    target: 'es2022',
    // A browser that cannot preload modules fetches them a moment later; that is no reason to send code to all of them.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs at once is one file of libraries, which seldom change, and one of ours. The dozens that
        // would be shared with later parts compress worse, and each costs a request.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'] },
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
      treeshake: {
        // Chakra defines every stock recipe in one module; these calls have no effect, so unused recipes can go.
        manualPureFunctions: [
          'defineConfig',
          'defineRecipe',
          'defineSlotRecipe',
          'defineTokens',
          'defineSemanticTokens',
        ],
      },
    },
  },
});
