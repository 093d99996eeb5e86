import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the page is as narrow as in the style sheets' phone layout, from the first render on. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
