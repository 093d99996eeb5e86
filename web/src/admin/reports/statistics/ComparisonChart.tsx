import type { ClassComparison } from '@classledger/contract';
import { Fragment, useState } from 'react';
import { axisPositionOf, axisTicks } from '../../../components/charts/axis-ticks.ts';
import { BarTooltip, onMouseLeave } from '../../../components/charts/BarTooltip.tsx';
import classes from '../../../components/charts/Charts.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface ComparisonChartProps {
  readonly rows: readonly ClassComparison[];
  readonly withGrade: boolean;
}

export function ComparisonChart({ rows, withGrade }: ComparisonChartProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const [pointed, setPointed] = useState<number | null>(null);
  const share = (points: number, students: number) =>
    students === 0 ? 0 : Math.round((points / students) * 100) / 100;
  const bars = rows.map(({ classId, className, gradeName, studentCount, recent }) => ({
    id: classId,
    name: withGrade ? `${gradeName} ${className}` : className,
    plus: share(recent.addScore, studentCount),
    minus: share(recent.deductScore, studentCount),
  }));
  const steps = axisTicks(
    bars.flatMap(({ plus, minus }) => [plus, minus]),
    { whole: false },
  );
  const place = axisPositionOf(steps);
  const zero = place(0);
  return (
    <div className={classes.comparison} onPointerLeave={onMouseLeave(() => setPointed(null))}>
      <div className={classes.steps} style={{ gridRow: `1 / span ${bars.length}` }}>
        {steps.map((step) => (
          <div key={step} className={classes.step} style={{ left: `${place(step)}%` }}>
            <span className={classes.stepName}>{format.signed(step)}</span>
          </div>
        ))}
      </div>
      {bars.map(({ id, name, plus, minus }, index) => (
        <Fragment key={id}>
          <div className={classes.name} style={{ gridRow: index + 1 }}>
            {name}
          </div>
          <div
            className={classes.track}
            style={{ gridRow: index + 1 }}
            data-hovered={pointed === id || undefined}
            onPointerEnter={() => setPointed(id)}
          >
            <div
              className={classes.bar}
              data-sign={1}
              style={{ left: `${zero}%`, width: `${place(plus) - zero}%` }}
            />
            <div
              className={classes.bar}
              data-sign={-1}
              style={{ right: `${100 - zero}%`, width: `${zero - place(minus)}%` }}
            />
            {pointed === id && (
              <BarTooltip
                title={name}
                lines={[
                  [1, t('plusPerStudent'), format.signed(plus)],
                  [-1, t('minusPerStudent'), format.signed(minus)],
                ]}
                style={{ left: '50%', top: '100%' }}
              />
            )}
          </div>
        </Fragment>
      ))}
      <div style={{ gridRow: bars.length + 1, gridColumn: 2 }} />
    </div>
  );
}
