import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['My class', '我的班级'],
  podium: ['Top three', '前三名'],
  you: ['You', '我'],
  others: ['Everyone else', '其他同学'],
  level: ['Everyone has the same points so far.', '目前大家的积分相同。'],
  alone: ['You’re the first one here', '你是班里的第一位同学'],
  aloneHint: [
    'Your classmates appear here once your teacher adds them.',
    '老师添加同学后，他们会显示在这里。',
  ],
});
