import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

/** Thrown when a page's code could not be loaded: there is no network, or the server has newer pages. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The page could not be loaded', { cause });
    this.name = 'PageNotLoaded';
  }
}

export type LoadPage = () => Promise<{ readonly default: RouteComponent }>;

/** Throws if the code does not load. The router's own version would reload the app, which fails offline. */
export const lazyPage = (load: LoadPage) =>
  lazyRouteComponent(() =>
    load().catch((cause) => {
      throw new PageNotLoaded(cause);
    }),
  );
