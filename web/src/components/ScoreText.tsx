import { useFormat } from '../i18n/format.ts';
import classes from './ScoreText.module.css';

/** Shows points with + or −, for people who cannot see the colours. */
export function ScoreText({ value, pill = false }: { readonly value: number; readonly pill?: boolean }) {
  const format = useFormat();
  return (
    <span className={classes.score} data-sign={Math.sign(value)} data-pill={pill || undefined}>
      {format.signed(value)}
    </span>
  );
}

export function TotalText({ value }: { readonly value: number }) {
  const format = useFormat();
  return (
    <span className={classes.score} data-sign={value < 0 ? -1 : undefined}>
      {format.number(value)}
    </span>
  );
}
