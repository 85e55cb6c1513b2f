import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3000';

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
