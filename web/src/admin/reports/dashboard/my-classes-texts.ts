import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['My classes', '我的班级'],
  studentCount: ['{{count, number}} student', '{{count, number}} students', '{{count, number}} 名学生'],
  studentsOf: ['Students of {{name}}', '{{name}}的学生'],
  noClassTitle: ['You have no classes yet', '还没有任教班级'],
  noClassHint: [
    'Your school admin assigns classes to you. Then you can give points here.',
    '任教班级由学校管理员安排，安排后即可在此加减分。',
  ],
});
