import { lazyRouteComponent as lazyPage } from '@tanstack/react-router';

/** The code of a page could not be loaded: there is no network, or the server has other pages by now. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded', { cause });
    this.name = 'PageNotLoaded';
  }
}

/**
 * A page whose code is loaded when it is opened. The router would load the whole app again where that fails, which
 * leads to the browser's own words where there is no network; here the page says so itself.
 */
export const lazyRouteComponent: typeof lazyPage = (load, name) =>
  lazyPage(
    () =>
      load().catch((cause) => {
        throw new PageNotLoaded(cause);
      }),
    name,
  );
