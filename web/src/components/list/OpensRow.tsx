import { Anchor } from '@mantine/core';

interface OpensRowProps {
  readonly children: string;
  readonly onOpen: () => void;
}

export function OpensRow({ children, onOpen }: OpensRowProps) {
  return (
    <Anchor component="button" type="button" fz="inherit" fw={600} ta="start" onClick={onOpen}>
      {children}
    </Anchor>
  );
}
