import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Year promotion', '学年升级'],
  description: [
    'All classes move to the next grade, and classes of the last grade graduate. Nothing changes until you confirm.',
    '所有班级升入下一年级，最高年级的班级毕业。确认之前不会有任何改动。',
  ],
  structure: ['Grades and classes', '年级与班级'],
  movedUpAlready: [
    'Classes were already moved up on {{when}} ({{name}}). This plan moves them up once more.',
    '{{when}}已进行过学年升级（{{name}}），如再次执行，各班会再升一级。',
  ],
  showOrUndo: ['Show or undo', '查看或撤销'],
  showPromotion: ['Show', '查看'],
  steps: ['Steps of the year promotion', '升级步骤'],
  stepPlan: ['Plan', '安排'],
  stepCheck: ['Check and move up', '核对并升级'],
  noneTitle: ['No classes yet', '还没有班级'],
  noneHint: ['Add grades and classes first.', '请先添加年级和班级。'],
  classes: ['{{count, number}} class', '{{count, number}} classes', '{{count, number}} 个班级'],
  targetOfGrade: ['Next year for all classes of {{grade}}', '{{grade}}全部班级的去向'],
  targetOf: ['Next year for {{name}}', '{{name}}的去向'],
  newNameOf: ['New name of {{name}}', '{{name}}的新名称'],
  movesTo: ['Move to {{grade}}', '升入{{grade}}'],
  stays: ['Stay in {{grade}}', '留在{{grade}}'],
  graduates: ['Graduate', '毕业'],
  several: ['Different for each class', '各班不同'],
  nameMissing: ['Enter a name.', '请填写名称。'],
  graduatedGrade: ['Name of the graduating year', '毕业届别名称'],
  graduatedGradeHint: [
    'Classes that graduate are kept under this name. You can view but not change them.',
    '毕业班级归入此届别，仅供查看，不能修改。',
  ],
  check: ['Check the plan', '核对安排'],
  cannot: ['This plan can’t be carried out', '无法按此安排升级'],
  nothing: ['Nothing would change.', '没有任何改动。'],
  problem_classNameTaken: [
    'Two classes of the same grade would be called “{{name}}”. Go back and rename one.',
    '同一年级里会出现两个“{{name}}”，请返回修改其中一个的名称。',
  ],
  problem_gradeNameTaken: [
    'A grade called “{{name}}” already exists. Go back and choose another name for the graduating year.',
    '已有名为“{{name}}”的年级，请返回为毕业届别换一个名称。',
  ],
  problem_gradeUnknown: [
    'A class would move to a grade that no longer exists. Go back and choose another grade.',
    '某个班级要升入的年级已不存在，请返回重新选择。',
  ],
  problem_classesDiffer: [
    'Classes were added or deleted in the meantime. Reload the page and check the plan again.',
    '班级刚刚有增减，请刷新页面后重新核对。',
  ],
  outcomeMoving: [
    '{{classes}} with {{students}} move to another grade.',
    '{{classes}}、{{students}}升入其他年级。',
  ],
  outcomeGraduating: [
    '{{classes}} with {{students}} graduate as “{{grade}}”.',
    '{{classes}}、{{students}}毕业，归入“{{grade}}”。',
  ],
  outcomeArchived: [
    'You can view and export these classes, but not change them. Their students can no longer sign in.',
    '毕业班级可以查看和导出，但不能修改；班内学生不能再登录。',
  ],
  outcomeRenamed: [
    '{{count, number}} class gets a new name.',
    '{{count, number}} classes get a new name.',
    '{{count, number}} 个班级更名。',
  ],
  renamedTo: ['{{before}} → {{after}}', '{{before}} → {{after}}'],
  newName: ['New name', '新名称'],
  outcomeStays: [
    'Students, points, seats, class templates and class teachers stay with their class.',
    '学生、积分、座位、班级模板和班主任都随班级保留。',
  ],
  teaching: [
    'Teachers have {{count, number}} assignment to these classes.',
    'Teachers have {{count, number}} assignments to these classes.',
    '这些班级有 {{count, number}} 项任课安排。',
  ],
  teachingHint: [
    'Nobody teaches a class that graduates. Undoing the year promotion restores all assignments.',
    '毕业班级的任课安排会自动结束。撤销升级时，任课安排全部恢复。',
  ],
  keepTeaching: ['Teachers stay with their classes', '任课教师随班级保留'],
  clearTeaching: ['Clear all assignments and assign teachers anew', '清空任课安排，之后重新分配'],
  inTerm: [
    'The term of {{count, number}} class has not ended. Its points will continue to count next year.',
    'The term of {{count, number}} classes has not ended. Their points will continue to count next year.',
    '{{count, number}} 个班级的学期尚未结束，积分将带入下一学年继续累计。',
  ],
  endTerm: ['End terms first', '先结束学期'],
  heads: [
    'Heads of grade keep their grade and take over the classes that move into it:',
    '年级主任仍负责原年级，并接管升入该年级的班级：',
  ],
  gradeCredentials: [
    'Apps for a grade keep that grade and will see different students:',
    '年级范围的应用仍对应原年级，可见的学生会随之变化：',
  ],
  stoppingCredentials: [
    'These apps stop working because the head of grade who set them up is no longer responsible for the class:',
    '以下应用将停止工作，因为创建它的年级主任不再负责该班级：',
  ],
  signInServices: [
    'These sign-in services add new students to a class that graduates. Choose another class for them:',
    '以下登录服务会将新学生加入即将毕业的班级，请另选班级：',
  ],
  nameIn: ['{{name}} ({{place}})', '{{name}}（{{place}}）'],
  promote: ['Move classes up', '升级'],
  confirmTitle: ['Move classes up?', '确定进行学年升级？'],
  confirmText: [
    'You can undo it until someone gives points, ends a term, or changes a class that was moved.',
    '在有人加减分、结束学期或改动已升级的班级之前，可以撤销。',
  ],
  stale: [
    'Grades or classes have changed since you checked the plan. Close this dialog and check the plan again.',
    '核对之后，年级或班级有变化。请关闭此窗口，重新核对安排。',
  ],
  leaveTitle: ['Discard the plan?', '放弃当前安排？'],
  leaveText: ['Your changes to the plan are not saved.', '您对安排的修改还没有保存。'],
  leave: ['Discard', '放弃'],
  missingTitle: ['Not found', '未找到'],
  missingHint: ['This school has no such year promotion.', '本校没有这次学年升级。'],
  detailsTitle: ['Year promotion: {{name}}', '学年升级：{{name}}'],
  doneBy: ['{{when}} by {{name}}', '{{when}}，由 {{name}} 操作'],
  doneClasses: [
    '{{count, number}} class was changed.',
    '{{count, number}} classes were changed.',
    '已改动 {{count, number}} 个班级。',
  ],
  doneGraduated: [
    '{{count, number}} student graduated.',
    '{{count, number}} students graduated.',
    '{{count, number}} 名学生毕业。',
  ],
  undoable: [
    'You can undo this until someone gives points, ends a term, or changes one of these classes.',
    '在有人加减分、结束学期或改动这些班级之前，可以撤销。',
  ],
  because_undone: [
    'This year promotion was undone. Everything is as it was before.',
    '这次学年升级已撤销，已恢复到升级前的状态。',
  ],
  because_later: [
    'You can no longer undo this because another year promotion followed.',
    '之后又进行了学年升级，不能再撤销。',
  ],
  because_scored: [
    'You can no longer undo this because points have been given since then.',
    '之后已有加减分，不能再撤销。',
  ],
  because_termEnded: [
    'You can no longer undo this because a term has ended since then.',
    '之后已有学期结束，不能再撤销。',
  ],
  because_structure: [
    'You can no longer undo this because a grade or class has changed since then.',
    '之后年级或班级有改动，不能再撤销。',
  ],
  undoPromotion: ['Undo year promotion', '撤销升级'],
  undoTitle: ['Undo this year promotion?', '撤销这次学年升级？'],
  undoText: [
    'All classes go back to their previous grades and names, and graduates can sign in again.',
    '所有班级恢复原来的年级和名称，毕业的学生可以重新登录。',
  ],
  undoLate: [
    'You can no longer undo this because something has changed. Close this dialog to see the reason.',
    '数据已有变化，不能再撤销。关闭此窗口可查看原因。',
  ],
  moves: ['Classes', '班级'],
  before: ['Before', '升级前'],
  after: ['After', '升级后'],
  students: ['Students', '学生'],
});
