import { Box, Skeleton } from '@mantine/core';
import { LoadingRows } from '../../components/LoadingRows.tsx';

/** Stands where a page is being loaded. */
export function PageLoading() {
  return (
    <Box p="md">
      <Skeleton height={30} width={220} mb="xl" />
      <LoadingRows />
    </Box>
  );
}
