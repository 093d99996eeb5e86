import { Group } from '@mantine/core';

export function Logo({ markOnly = false }: { readonly markOnly?: boolean }) {
  return (
    <Group
      component="span"
      display="inline-flex"
      wrap="nowrap"
      gap={10}
      fz="1.0625rem"
      fw={700}
      lts="-0.01em"
      c="var(--mantine-color-text)"
    >
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#14675f" />
        <path d="M9 10h9M9 16h6M9 22h9" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
        <path d="M23 13v6M20 16h6" stroke="#f6c453" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      <span className={markOnly ? 'visually-hidden' : undefined}>{productName}</span>
    </Group>
  );
}

/** Not translated, because it is a proper name. */
const productName = 'Classledger';
