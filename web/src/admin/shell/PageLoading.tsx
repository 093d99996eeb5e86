import { Box, Skeleton } from '@mantine/core';
import { LoadingRows } from '../../components/LoadingRows.tsx';

export function PageLoading() {
  return (
    <Box>
      <Skeleton height={34} width={220} mb={22} />
      <LoadingRows />
    </Box>
  );
}
