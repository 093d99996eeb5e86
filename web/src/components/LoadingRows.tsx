import { Skeleton, Stack } from '@mantine/core';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/texts.ts';

export interface LoadingRowsProps {
  readonly rows?: number;
  readonly height?: number;
}

/** Placeholders as high as the list, so that nothing moves when the list has loaded. */
export function LoadingRows({ rows = 6, height = 40 }: LoadingRowsProps) {
  const c = useTexts(commonTexts);
  return (
    <Stack gap="xs" role="status" aria-label={c('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}

export function PageLoading() {
  return (
    <>
      <Skeleton height={34} width={220} mb={22} />
      <LoadingRows />
    </>
  );
}
