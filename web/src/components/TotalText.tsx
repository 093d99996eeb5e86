import { useFormat } from '../i18n/format.ts';
import classes from './ScoreText.module.css';

/** A total: a sum and not a change, so without a plus, and coloured only where it is below zero. */
export function TotalText({ value }: { readonly value: number }) {
  const format = useFormat();
  return (
    <span className={classes.score} data-sign={value < 0 ? -1 : undefined}>
      {format.number(value)}
    </span>
  );
}
