import { Anchor } from '@mantine/core';

interface OpenRowButtonProps {
  readonly children: string;
  readonly onOpen: () => void;
}

export function OpenRowButton({ children, onOpen }: OpenRowButtonProps) {
  return (
    <Anchor component="button" type="button" fz="inherit" fw={600} ta="start" onClick={onOpen}>
      {children}
    </Anchor>
  );
}
