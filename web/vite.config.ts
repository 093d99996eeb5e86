import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractTables } from './vite/contract-tables.ts';

const api = `http://localhost:${process.env.PORT ?? 3000}`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Makes the development server answer paths below /admin and /student with the app's page, like the real server. */
const pageFallbacks: Plugin = {
  name: 'page-fallbacks',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const app = /^\/(admin|student)(?:[/?]|$)/.exec(request.url ?? '')?.[1];
      if (app && request.headers.accept?.includes('text/html')) request.url = `/${app}.html`;
      next();
    });
  },
};

const allStyles = '@mantine/core/styles.layer.css';
const baseStyles = ['default-css-variables', 'baseline', 'global'];
const styleImport = (name: string) => `import '@mantine/core/styles/${name}.layer.css';`;

/** Loads a Mantine component's styles with the component. Its file of class names has the name of the style sheet. */
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === allStyles ? `\0${allStyles}.js` : null),
  load: (id) => (id === `\0${allStyles}.js` ? baseStyles.map(styleImport).join('\n') : null),
  transform(code, id) {
    const component = /@mantine[\\/]core[\\/]esm[\\/].*?(\w+)\.module\.mjs$/.exec(id)?.[1];
    return component === undefined ? null : `${styleImport(component)}\n${code}`;
  },
};

export default defineConfig({
  root: here('.'),
  plugins: [react(), contractTables(), mantineStyles, pageFallbacks],
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
