import '@mantine/charts/styles.layer.css';
import type { ClassComparison } from '@classledger/contract';
import { BarChart } from '@mantine/charts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

interface ComparisonChartProps {
  /** Those that the table below shows. */
  readonly rows: readonly ClassComparison[];
  /** Names the grade too, where classes of several have the same name. */
  readonly withGrade: boolean;
}

/** Points per student of each class, plus to the right and minus to the left. Loaded only where it is shown. */
export function ComparisonChart({ rows, withGrade }: ComparisonChartProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const share = (points: number, students: number) =>
    students === 0 ? 0 : Math.round((points / students) * 100) / 100;
  const data = rows.map(({ className, gradeName, studentCount, recent }) => ({
    name: withGrade ? `${gradeName} ${className}` : className,
    plus: share(recent.addScore, studentCount),
    minus: share(recent.deductScore, studentCount),
  }));
  return (
    <BarChart
      h={Math.max(120, 44 + data.length * 32)}
      data={data}
      dataKey="name"
      type="stacked"
      orientation="vertical"
      // Without its own keyboard handling: the table below says the same.
      barChartProps={{ stackOffset: 'sign', accessibilityLayer: false }}
      barProps={{ isAnimationActive: false, radius: 2 }}
      gridColor="var(--app-line)"
      gridProps={{ strokeDasharray: '0' }}
      series={[
        { name: 'plus', label: t('plusPerStudent'), color: 'var(--app-plus)' },
        { name: 'minus', label: t('minusPerStudent'), color: 'var(--app-minus)' },
      ]}
      valueFormatter={format.signed}
      yAxisProps={{ width: withGrade ? 150 : 88, interval: 0 }}
      maxBarWidth={16}
      gridAxis="x"
    />
  );
}
