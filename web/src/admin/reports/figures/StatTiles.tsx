import { Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Figures.module.css';

interface Tile {
  readonly key: string;
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

export function StatTiles({ label, tiles }: { readonly label: string; readonly tiles: readonly Tile[] }) {
  return (
    <section aria-label={label} aria-busy={tiles.some(({ value }) => value === undefined)}>
      <dl className={classes.tiles}>
        {tiles.map(({ key, label: name, value, note }) => (
          <Paper key={key} withBorder>
            <Text component="dt" fz="sm" c="dimmed" flex="0 0 100%">
              {name}
            </Text>
            <dd>{value ?? <Skeleton width="3.4em">{'\u00A0'}</Skeleton>}</dd>
            {note !== undefined && <dd className={classes.note}>{note}</dd>}
          </Paper>
        ))}
      </dl>
    </section>
  );
}
