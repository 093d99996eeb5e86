import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Figures.module.css';

export interface Tile {
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
          <div key={key}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton width="3.4em">{'\u00A0'}</Skeleton>}</dd>
            {note !== undefined && <dd className={classes.note}>{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}
