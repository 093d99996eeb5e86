import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'My class',
    podium: 'Top three',
    you: 'You',
    others: 'Everyone else',
    level: 'Everyone has the same points so far.',
    alone: 'You’re the first one here',
    aloneHint: 'Your classmates appear here once your teacher adds them.',
  },
  zh: {
    title: '我的班级',
    podium: '前三名',
    you: '我',
    others: '其他同学',
    level: '目前大家的积分相同。',
    alone: '你是班里的第一位同学',
    aloneHint: '老师添加同学后，他们会显示在这里。',
  },
});
