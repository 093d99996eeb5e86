import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to another page, with the properties of Mantine's `Anchor`. */
export const PageLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
));
