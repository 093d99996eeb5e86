import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractTables } from './vite/contract-tables.ts';
import { mantineStyles } from './vite/mantine-styles.ts';
import { pageFallbacks } from './vite/page-fallbacks.ts';

const api = `http://localhost:${process.env.PORT ?? 3000}`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  plugins: [react(), contractTables(), mantineStyles(), pageFallbacks()],
  // zip-without-workers.ts says why.
  resolve: { alias: [{ find: /^fflate$/, replacement: here('src/spreadsheets/zip-without-workers.ts') }] },
  // Workers load a reader when they meet its kind of file.
  worker: { format: 'es' },
  // The server replaces this with a fresh nonce in every page that it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  // build-pages.ts says which pages are built together.
  build: {
    target: 'es2023',
    // Data URLs would make a second kind of asset.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The server refuses writes from other origins, so the proxy keeps the browser's.
  server: {
    proxy: { '/api': { target: api, changeOrigin: false }, '/docs': { target: api, changeOrigin: false } },
  },
});
