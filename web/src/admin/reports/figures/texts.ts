import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    pointsByDay: 'Points by day',
    pointsByWeek: 'Points by week',
    daysSummary_one: '{{plus}} / {{minus}} in {{count, number}} day',
    daysSummary_other: '{{plus}} / {{minus}} in {{count, number}} days',
    daysEmpty: 'No points in this period.',
    daysEmptyHint: 'Choose a longer period, or give the first points.',
    toScoring: 'Give points',
  },
  zh: {
    pointsByDay: '每日积分',
    pointsByWeek: '每周积分',
    daysSummary_other: '近 {{count, number}} 天：加分 {{plus}}，扣分 {{minus}}',
    daysEmpty: '这段时间没有积分变动。',
    daysEmptyHint: '可以选择更长的时间，或先去加减分。',
    toScoring: '去加减分',
  },
});
