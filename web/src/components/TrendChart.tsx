import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useLanguage, useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';
import type { TrendBar } from './trend-bars.ts';

interface TrendChartProps {
  readonly bars: readonly TrendBar[];
  readonly weekly: boolean;
}

/** Plus above the line, minus below. Loaded only where it is shown: charts are heavy. */
export function TrendChart({ bars, weekly }: TrendChartProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const language = useLanguage();
  const day = useMemo(
    // The days are UTC days.
    () => new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    [language],
  );
  const data = bars.map(({ date, plus, minus }) => ({ date: day.format(new Date(date)), plus, minus }));
  return (
    <BarChart
      h={220}
      data={data}
      dataKey="date"
      type="stacked"
      // Without its own keyboard handling: the sentence above the chart says it to those who cannot see bars.
      barChartProps={{ stackOffset: 'sign', accessibilityLayer: false, margin: { top: 8 } }}
      barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
      gridColor="var(--app-line)"
      gridProps={{ strokeDasharray: '0' }}
      series={[
        { name: 'plus', label: t('plus'), color: 'var(--app-plus)' },
        { name: 'minus', label: t('minus'), color: 'var(--app-minus)' },
      ]}
      valueFormatter={format.signed}
      yAxisProps={{ width: 56, allowDecimals: false }}
      xAxisProps={{ minTickGap: 24 }}
      maxBarWidth={28}
      tooltipProps={{ labelFormatter: (label) => (weekly ? t('weekFrom', { date: String(label) }) : label) }}
    />
  );
}
