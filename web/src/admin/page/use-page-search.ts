import {
  type RegisteredRouter,
  type RouteById,
  type RouteIds,
  useNavigate,
  useRouter,
  useSearch,
} from '@tanstack/react-router';
import { useCallback } from 'react';
import type { RawSearch, SearchChange } from '../search-parameters.ts';

export type PagePath =
  RouteIds<RegisteredRouter['routeTree']> extends infer Id
    ? Id extends `/shell/${infer Path}`
      ? `/${Path}`
      : never
    : never;

export type SearchOf<P extends PagePath> = RouteById<
  RegisteredRouter['routeTree'],
  `/shell${P}`
>['types']['fullSearchSchema'];

/** Reads a page's filters and page number from the URL, so that reload, Back and links keep them. */
export function usePageSearch<P extends PagePath>(path: P) {
  const held: object = useSearch({ strict: false });
  const search = held as SearchOf<P>;
  const navigate = useNavigate({ from: path });
  const { routesById } = useRouter();
  const { validateSearch } = routesById[`/shell${path}`].options;
  const show = useCallback(
    (changed: object, isTurned: boolean) =>
      void navigate({
        search: (before: object) =>
          (validateSearch as (raw: RawSearch) => object)({ ...before, page: undefined, ...changed }),
        replace: !isTurned,
        resetScroll: isTurned,
      } as never),
    [navigate, validateSearch],
  );
  const change = useCallback((changed: SearchChange<SearchOf<P>>) => show(changed, false), [show]);
  /** Goes to another page of the list. If `gone`, Back does not return to the page before, which no longer exists. */
  const turnTo = useCallback((page: number, gone = false) => show({ page }, !gone), [show]);
  return { search, change, turnTo };
}
