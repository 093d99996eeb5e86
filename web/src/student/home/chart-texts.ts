import { defineTexts } from '../../i18n/texts.ts';

/** Loaded with the charts. */
export const chartTexts = defineTexts({
  trendSummary: [
    'From {{from, number}} points on {{firstDay}} to {{to, number}} points on {{lastDay}}',
    '从{{firstDay}}的 {{from, number}} 分到{{lastDay}}的 {{to, number}} 分',
  ],
});
