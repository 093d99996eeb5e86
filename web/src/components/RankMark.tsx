import { useFormat } from '../i18n/format.ts';
import classes from './RankMark.module.css';

/** Shows a rank; the first three stand out. */
export function RankMark({ rank }: { readonly rank: number }) {
  const format = useFormat();
  return (
    <span className={classes.rank} data-top={rank <= 3 || undefined}>
      {format.number(rank)}
    </span>
  );
}
