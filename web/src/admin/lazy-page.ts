import { lazyRouteComponent as lazyPage } from '@tanstack/react-router';

/** The code of a page could not be loaded: there is no network, or the server has newer pages. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded', { cause });
    this.name = 'PageNotLoaded';
  }
}

/**
 * A page whose code loads when it opens. On failure the router's version reloads the whole app, which offline shows the
 * browser's error page. This one throws, so that the page shows the error.
 */
export const lazyRouteComponent: typeof lazyPage = (load, name) =>
  lazyPage(
    () =>
      load().catch((cause) => {
        throw new PageNotLoaded(cause);
      }),
    name,
  );
