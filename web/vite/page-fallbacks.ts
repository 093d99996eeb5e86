import type { Plugin } from 'vite';

/** Makes the development server answer paths below /admin and /student with the app's page, like the real server. */
export function pageFallbacks(): Plugin {
  return {
    name: 'page-fallbacks',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const app = /^\/(admin|student)(?:[/?]|$)/.exec(request.url ?? '')?.[1];
        if (app && request.headers.accept?.includes('text/html')) request.url = `/${app}.html`;
        next();
      });
    },
  };
}
