import type { CategoryTotals } from '@classledger/contract';
import { useFormat } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CategoryMark } from '../CategoryMark.tsx';
import { texts } from '../category-texts.ts';
import { paletteColour } from '../palette.ts';
import { ScoreText, TotalText } from '../ScoreText.tsx';
import classes from './Charts.module.css';
import { radarPoint } from './category-values.ts';
import { axisPositionOf, axisTicks } from './chart-values.ts';

interface CategoryRadarProps {
  /** In the order of the school. The points without a category have no axis. */
  readonly totals: readonly CategoryTotals[];
}

/** With fewer axes, a radar has no area; with more, the names beside them overlap. */
const axes = { min: 3, max: 10 };

/** Shows a student's points by category as a radar, and in a table that also has the negative sums. */
export function CategoryRadar({ totals }: CategoryRadarProps) {
  const t = useTexts(texts);
  const named = totals.filter(({ categoryId }) => categoryId !== null);
  const shown = totals.filter(({ categoryId, scoreCount }) => categoryId !== null || scoreCount > 0);
  return (
    <div className={classes.kinds}>
      {named.length >= axes.min && named.length <= axes.max && <Radar of={named} />}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('category')}</th>
            <th scope="col">{t('plus')}</th>
            <th scope="col">{t('minus')}</th>
            <th scope="col">{t('total')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.categoryId}>
              <th scope="row">
                <CategoryMark of={row} />
              </th>
              <td>
                <ScoreText value={row.addScore} />
              </td>
              <td>
                <ScoreText value={row.deductScore} />
              </td>
              <td>
                <strong>
                  <TotalText value={row.totalScore} />
                </strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In units of the SVG. */
const radius = 92;
const labelGap = 15;
const labelLengthMax = 12;

function Radar({ of }: { readonly of: readonly CategoryTotals[] }) {
  const format = useFormat();
  // A negative sum lies in the middle, because an axis has no negative side.
  const values = of.map(({ totalScore }) => Math.max(0, totalScore));
  const ticks = axisTicks(values, { whole: true });
  const place = axisPositionOf(ticks);
  const outline = (radii: readonly number[]) => radii.map((r, i) => pointText(i, of.length, r)).join(' ');
  return (
    <svg viewBox="-160 -124 320 248" aria-hidden="true">
      {ticks.map((tick) => (
        <polygon
          key={tick}
          className={classes.ring}
          points={outline(of.map(() => (place(tick) / 100) * radius))}
        />
      ))}
      {of.map(({ categoryId }, i) => {
        const { x, y } = radarPoint(i, of.length, radius);
        return <line key={categoryId} className={classes.ring} x2={x} y2={y} />;
      })}
      <polygon className={classes.shape} points={outline(values.map((v) => (place(v) / 100) * radius))} />
      {of.map(({ categoryId, name, colour }, i) => {
        const dot = radarPoint(i, of.length, (place(values[i] ?? 0) / 100) * radius);
        const label = radarPoint(i, of.length, radius + labelGap);
        return (
          <g key={categoryId}>
            <circle cx={dot.x} cy={dot.y} r={4.5} fill={paletteColour(colour)} />
            <text x={label.x} y={label.y} dominantBaseline="middle" textAnchor={anchorOf(label.x)}>
              {shortened(name ?? '')}
            </text>
          </g>
        );
      })}
      {ticks.slice(1).map((tick) => (
        <text key={tick} className={classes.ringName} x={4} y={(-place(tick) / 100) * radius + 10}>
          {format.number(tick)}
        </text>
      ))}
    </svg>
  );
}

function pointText(axis: number, axisCount: number, at: number): string {
  const { x, y } = radarPoint(axis, axisCount, at);
  return `${x},${y}`;
}

const anchorOf = (x: number) => (Math.abs(x) < 1 ? 'middle' : x > 0 ? 'start' : 'end');

const shortened = (name: string) =>
  name.length > labelLengthMax ? `${name.slice(0, labelLengthMax - 1)}…` : name;
