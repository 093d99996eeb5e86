import { ErrorState } from './ErrorState.tsx';
import { LoadingRows, type LoadingRowsProps } from './LoadingRows.tsx';

interface Query {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface LoadingOrErrorProps extends LoadingRowsProps {
  readonly of: readonly Query[];
}

/** Takes the place of the data of queries: placeholders, or the error of a query that has no data. */
export function LoadingOrError({ of, ...rows }: LoadingOrErrorProps) {
  const failed = of.find(({ data, error }) => data === undefined && error);
  if (!failed) return <LoadingRows {...rows} />;
  const retry = () => {
    for (const { refetch } of of) void refetch();
  };
  return <ErrorState error={failed.error} onRetry={retry} />;
}
