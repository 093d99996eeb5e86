import { defineTexts } from '../../i18n/texts.ts';

export const sharedTexts = {
  noClassesHint: ['Add a class with its students first.', '请先添加班级和学生。'],
  noStudentsTitle: ['This class has no students yet', '这个班还没有学生'],
  noTeamsTitle: ['This class has no teams yet', '这个班还没有小组'],
  makeTeams: ['Make teams', '分组'],
  desk: ['Teacher’s desk', '讲台'],
  timer: ['Timer', '计时器'],
  fullScreen: ['Full screen', '全屏'],
  leaveFullScreen: ['Exit full screen', '退出全屏'],
} as const;

export const texts = defineTexts({
  ...sharedTexts,
  chooseClassTitle: ['Choose a class', '请选择班级'],
  noClassesTitle: ['No classes yet', '还没有班级'],
  noTaughtClassesHint: [
    'Your school admin assigns your classes.',
    '任教班级由学校管理员安排，请联系学校管理员。',
  ],
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
