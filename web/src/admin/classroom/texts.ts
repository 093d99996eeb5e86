import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  chooseClassTitle: ['Choose a class', '请选择班级'],
  noClassesTitle: ['No classes yet', '还没有班级'],
  toStructure: ['Grades and classes', '年级与班级'],
  unknownClassTitle: ['Class not found', '没有找到这个班级'],
  unknownClassHint: [
    'It was deleted, or you are not responsible for it. Choose another class.',
    '该班级可能已删除，或不在您的负责范围内。请选择其他班级。',
  ],
  graduatedTitle: ['{{name}} has graduated', '{{name}}已毕业'],
  graduatedHint: [
    'You can view and export its students and their records, but not change them.',
    '该班学生和积分记录可以查看和导出，不能修改。',
  ],
  toStudents: ['Show students', '查看学生'],
});
