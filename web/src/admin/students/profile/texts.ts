import { texts as categoryTexts } from '../../../components/category-texts.ts';
import { defineTexts } from '../../../i18n/texts.ts';
import { texts as studentsTexts } from '../texts.ts';

export const texts = defineTexts({
  ...studentsTexts,
  ...categoryTexts,
  total: ['Total points', '总积分'],
  account: ['Account', '账号'],
  emailNone: ['None', '未填写'],
  emailHidden: ['On file, visible to school admins only', '已填写，仅学校管理员可见'],
  trend: ['Points over time', '积分走势'],
  lastDays: ['{{count, number}} days', '近 {{count, number}} 天'],
  absences: ['Attendance ({{count, number}})', '考勤（{{count, number}}）'],
  recordsTitle: ['Records this term', '本学期记录'],
  points: ['Points', '分值'],
  noRecordsTitle: ['No records yet', '还没有记录'],
  noRecordsHint: ['Points given or taken appear here.', '加分和扣分会显示在这里。'],
  toScoring: ['Give points', '去加减分'],
  missingTitle: ['Student not found', '找不到该学生'],
  missingHint: [
    'The student was deleted, or belongs to another class or school.',
    '该学生可能已被删除，或属于其他班级或学校。',
  ],
});
