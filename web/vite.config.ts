import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractTables } from './vite/contract-tables.ts';
import { mantineStyles } from './vite/mantine-styles.ts';
import { pageFallbacks } from './vite/page-fallbacks.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  plugins: [react(), contractTables(), mantineStyles(), pageFallbacks()],
  // Why, is said there.
  resolve: { alias: [{ find: /^fflate$/, replacement: here('src/spreadsheets/zip-without-workers.ts') }] },
  // They load the readers of the kinds of files when they need them.
  worker: { format: 'es' },
  // The server puts a fresh nonce where this stands, in every page that it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  // Which pages are built together, and where to, build-pages.ts says.
  build: {
    target: 'es2023',
    // Data URLs would make a second kind of asset; every file stands for itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The server refuses writes from another origin: it has to see the one that the browser sees.
  server: {
    proxy: {
      '/api': { target: 'http://localhost:3000', changeOrigin: false },
      '/docs': { target: 'http://localhost:3000', changeOrigin: false },
    },
  },
});
