import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    chooseClassTitle: 'Choose a class',
    noClassesTitle: 'No classes yet',
    toStructure: 'Grades and classes',
    unknownClassTitle: 'Class not found',
    unknownClassHint: 'It was deleted, or you are not responsible for it. Choose another class.',
    graduatedTitle: '{{name}} has graduated',
    graduatedHint: 'You can view and export its students and their records, but not change them.',
    toStudents: 'Show students',
  },
  zh: {
    chooseClassTitle: '请选择班级',
    noClassesTitle: '还没有班级',
    toStructure: '年级与班级',
    unknownClassTitle: '没有找到这个班级',
    unknownClassHint: '该班级可能已删除，或不在您的负责范围内。请选择其他班级。',
    graduatedTitle: '{{name}}已毕业',
    graduatedHint: '该班学生和积分记录可以查看和导出，不能修改。',
    toStudents: '查看学生',
  },
});
