import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { hasStatus } from '../../api/api-failure.ts';
import type { InputArguments, InputOf, ListId, RowOf } from '../../api/operation-types.ts';
import { useOperationList } from '../../api/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { DataTable } from '../../components/list/DataTable.tsx';
import type { Column } from '../../components/list/data-table-types.ts';
import { FilterBar, ListSummary } from '../../components/list/FilterBar.tsx';
import { DeletedFilter, NoResults } from '../../components/list/NoResults.tsx';
import type { SearchChange } from '../search-parameters.ts';
import { CreateButton, Page, type PageProps } from './Page.tsx';
import { type RowAction, RowActions } from './RowActions.tsx';
import { type PagePath, type SearchOf, usePageSearch } from './use-page-search.ts';

/** Parameters of the URL that are no filters, so "Clear filters" keeps them. */
const noFilters = ['school', 'all', 'page'];

const filtersIn = (search: object) =>
  Object.entries(search).flatMap(([key, value]) =>
    value === undefined || noFilters.includes(key) ? [] : [key],
  );

/** Renders the filters of a list, or false for none. */
type Filters<Search> = (
  search: Search,
  change: (changed: SearchChange<Search>) => void,
  isFiltered: boolean,
) => ReactNode;

/** Lists whose rows have an id. */
type IdListId = { [I in ListId]: RowOf<I> extends { readonly id: number } ? I : never }[ListId];

interface ListPageProps<P extends PagePath, I extends IdListId> extends Omit<PageProps, 'children'> {
  readonly path: P;
  readonly list: I;
  /** Returns the input of the operation: `({ state }, paging) => ({ query: { state, ...paging } })`. */
  readonly input: (search: SearchOf<P>, paging: { page: number; limit: number }) => InputOf<I>;
  /** The name of the list, if the page's title does not name it. */
  readonly label?: string;
  readonly pageSize?: number;
  readonly columns: readonly Column<RowOf<I>>[];
  readonly nameOf: (row: RowOf<I>) => string;
  readonly actions?: (row: RowOf<I>) => readonly RowAction[];
  /** Content before the menu of a row. */
  readonly rowEnd?: (row: RowOf<I>) => ReactNode;
  readonly notice?: ReactNode;
  readonly filters?: Filters<SearchOf<P>>;
  /** Returns whether a filter names an object, which may be deleted, or outside the user's range. */
  readonly namesObject?: (search: SearchOf<P>) => boolean;
  readonly count?: (total: number) => string;
  readonly empty: {
    readonly icon: Icon;
    readonly title: string;
    readonly hint: string;
    readonly action?: ReactNode;
  };
  /** The text if the filters match nothing, for lists that the general text does not fit. */
  readonly noMatch?: { readonly title: string; readonly hint: string };
  readonly children?: ReactNode;
}

/** Shows a list of the server. The URL contains page number and filters. */
export function ListPage<P extends PagePath, I extends IdListId>(props: ListPageProps<P, I>) {
  const { list, input, nameOf, actions, rowEnd, create, count, filters, pageSize = 50 } = props;
  const { search, change, turnTo } = usePageSearch(props.path);
  const { page = 1 } = search as { readonly page?: number };
  const asked = input(search, { page, limit: pageSize });
  const query = useOperationList<I>(list, ...([asked] as InputArguments<I>));
  const total = query.data?.total ?? 0;
  // A page without filters may have other parameters, such as the credential whose webhooks it shows.
  const filtered = filters ? filtersIn(search) : [];
  const bar = filters?.(search, change, filtered.length > 0);
  const clear = () =>
    change(Object.fromEntries(filtered.map((key) => [key, undefined])) as SearchChange<SearchOf<P>>);
  // An empty list shows the create button in its middle instead of above.
  const isEmpty = query.data?.total === 0 && filtered.length === 0;
  const isFilterGone = props.namesObject?.(search) && hasStatus(query.error, 403, 404);
  return (
    <Page {...props} create={isEmpty ? undefined : create}>
      {props.notice}
      {bar && <FilterBar onClear={filtered.some((key) => key !== 'q') && clear}>{bar}</FilterBar>}
      {count && <ListSummary count={total > 0 ? count(total) : ''} />}
      {isFilterGone ? (
        <DeletedFilter onClear={clear} />
      ) : (
        <DataTable<RowOf<I>>
          label={props.label ?? props.title}
          columns={props.columns}
          query={query}
          rowKey={(row) => (row as RowOf<I> & { readonly id: number }).id}
          rowName={nameOf}
          empty={
            filtered.length > 0 ? (
              <NoResults onClear={clear} {...props.noMatch} />
            ) : (
              <EmptyState action={create && <CreateButton {...create} />} {...props.empty} />
            )
          }
          page={page}
          pageSize={pageSize}
          onPage={turnTo}
          {...((actions || rowEnd) && {
            actions: (row) => (
              <>
                {rowEnd?.(row)}
                {actions && <RowActions name={nameOf(row)} actions={actions(row)} />}
              </>
            ),
          })}
        />
      )}
      {props.children}
    </Page>
  );
}
