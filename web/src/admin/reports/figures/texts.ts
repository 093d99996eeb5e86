import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  overview: ['Overview', '总览'],
  students: ['Students', '学生数'],
  total: ['Total points', '总积分'],
  average: ['Average', '人均积分'],
  best: ['Highest', '最高分'],
  lowest: ['Lowest', '最低分'],
  pointsByDay: ['Points by day', '每日积分'],
  pointsByWeek: ['Points by week', '每周积分'],
  daysSummary: [
    '{{plus}} / {{minus}} in {{count, number}} day',
    '{{plus}} / {{minus}} in {{count, number}} days',
    '近 {{count, number}} 天：加分 {{plus}}，扣分 {{minus}}',
  ],
  daysEmpty: ['No points in this period.', '这段时间没有积分变动。'],
  daysEmptyHint: ['Choose a longer period, or give the first points.', '可以选择更长的时间，或先去加减分。'],
  toScoring: ['Give points', '去加减分'],
});
