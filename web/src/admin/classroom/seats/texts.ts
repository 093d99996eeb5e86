import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Seating plan', '座位表'],
  chooseClassHint: ['You can then see its seating plan.', '选择后即可查看座位表。'],
  noClassesHint: [
    'Add grades and classes first. Then create a seating plan for each class.',
    '请先添加年级与班级，再为班级生成座位表。',
  ],
  noLayoutTitle: ['This class has no seating plan yet', '本班还没有座位表'],
  noLayoutHint: [
    'Enter groups, rows and seats. Students are seated by username; you can move them afterwards.',
    '填写教室的组数、排数和列数，系统按用户名顺序安排学生，之后可以随意调整。',
  ],
  noLayoutHintReader: ['The class teacher creates it.', '由班主任生成。'],
  newLayout: ['New plan', '重新生成'],
  makeLayout: ['Create seating plan', '生成座位表'],
  seenBy: ['View', '视角'],
  seenByClass: ['Students’ view', '学生视角'],
  seenByTeacher: ['Teacher’s view', '教师视角'],
  group: ['Group {{number, number}}', '第 {{number, number}} 组'],
  room: ['Room', '教室'],
  help: [
    'Drag a student to another seat, or tap the student and then the seat.',
    '拖动学生到其他座位，或先点学生，再点目标座位。',
  ],
  helpKeys: ['Keys: arrows, Enter, Delete.', '键盘：方向键、回车、Delete。'],
  seatOf: [
    '{{name}}, group {{group, number}}, row {{row, number}}, seat {{col, number}}',
    '{{name}}，第 {{group, number}} 组第 {{row, number}} 排第 {{col, number}} 座',
  ],
  seatFree: [
    'Empty seat, group {{group, number}}, row {{row, number}}, seat {{col, number}}',
    '空座位，第 {{group, number}} 组第 {{row, number}} 排第 {{col, number}} 座',
  ],
  freeShort: ['empty', '空'],
  noSeat: ['No seat', '未安排座位'],
  everyoneSeated: [
    'Everyone has a seat. Drag a student here to remove them from their seat.',
    '所有学生都有座位。将学生拖到这里可移出座位。',
  ],
  pickedStudent: [
    '{{name}}: choose a new seat, or another student to swap seats.',
    '{{name}}：请选择新座位，或选择另一名学生互换座位。',
  ],
  pickedSeat: ['Empty seat: choose a student for it.', '空座位：请选择要安排的学生。'],
  freeSeat: ['Remove from seat', '移出座位'],
  nowAt: [
    '{{name}} now sits in group {{group, number}}, row {{row, number}}, seat {{col, number}}.',
    '{{name}}已调到第 {{group, number}} 组第 {{row, number}} 排第 {{col, number}} 座。',
  ],
  nowSwapped: ['{{name}} and {{other}} swapped seats.', '{{name}}与{{other}}已互换座位。'],
  nowUnseated: ['{{name}} no longer has a seat.', '{{name}}已移出座位。'],
  putBack: ['Nothing was moved.', '未做调整。'],
  notMoved: ['The move wasn’t saved', '座位调整未保存'],
  layoutChanged: [
    'Someone else changed the plan. This is the current one.',
    '其他人刚刚修改了座位表，现在显示的是最新情况。',
  ],
  taken: [
    '{{taken, number}} of {{count, number}} seats taken',
    '{{count, number}} 个座位，已坐 {{taken, number}} 人',
  ],
  generateTitle: ['Seating plan of {{class}}', '{{class}}的座位表'],
  groupCount: ['Groups', '组数'],
  rowsPerGroup: ['Rows per group', '每组排数'],
  colsPerGroup: ['Seats per row', '每排座位'],
  between: ['From 1 to {{max, number}}', '1 到 {{max, number}}'],
  preview: [
    'Preview: {{groups}} × {{rows}} × {{cols}} seats',
    '预览：{{groups}} 组 × {{rows}} 排 × {{cols}} 座',
  ],
  seatsAndStudents: ['{{seats}} · {{students}}.', '{{seats}}，{{students}}。'],
  seatCount: ['{{count, number}} seat', '{{count, number}} seats', '{{count, number}} 个座位'],
  remainFree: [
    '{{count, number}} seat stays empty.',
    '{{count, number}} seats stay empty.',
    '将空出 {{count, number}} 个座位。',
  ],
  exactly: ['There is exactly one seat for each student.', '座位数与学生人数相同。'],
  unseated: [
    '{{count, number}} student gets no seat.',
    '{{count, number}} students get no seat.',
    '将有 {{count, number}} 名学生没有座位。',
  ],
  replaces: [
    'This replaces the current plan and seats everyone again by username. It can’t be undone.',
    '当前座位表将被替换：所有学生按用户名重新安排，且无法撤销。',
  ],
  seatedByUsername: [
    'Students are seated by username; disabled students get no seat.',
    '学生按用户名顺序入座，已停用的学生不安排座位。',
  ],
  generate: ['Create', '生成'],
  generateAgain: ['Replace plan', '替换座位表'],
  generated: [
    '{{count, number}} seat created.',
    '{{count, number}} seats created.',
    '已生成 {{count, number}} 个座位。',
  ],
});
