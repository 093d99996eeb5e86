import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is as narrow as on a phone: as the style sheets have it, from the first picture on. */
export const useOnPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
