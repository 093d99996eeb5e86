import { StudentName } from '../../components/StudentName.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { RankedClassmate } from './class-ranking.ts';
import classes from './Podium.module.css';
import { texts } from './texts.ts';

export function Podium({
  places,
  ownId,
}: {
  readonly places: readonly RankedClassmate[];
  readonly ownId: number;
}) {
  const t = useTexts(texts);
  const format = useFormat();
  return (
    <ol className={classes.podium} aria-label={t('podium')}>
      {places.map((mate, i) => {
        const { id, place: rank, totalScore } = mate;
        const own = id === ownId;
        return (
          <li
            key={id}
            className={classes.place}
            data-step={i + 1}
            data-rank={rank}
            data-own={own || undefined}
          >
            <span className={classes.name}>
              <StudentName of={mate} />
            </span>
            {own && <span className={classes.you}>{t('you')}</span>}
            <span className={classes.step}>
              <span className={classes.medal}>{format.number(rank)}</span>
              <span className={classes.points}>{t('pointsUnit', { count: totalScore })}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
