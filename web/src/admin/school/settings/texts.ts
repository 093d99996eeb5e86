import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['School settings', '学校设置'],
  intro: [
    'School-wide rules for dates, student data and classroom tools.',
    '全校统一的日期、学生信息和课堂工具设置。',
  ],
  timer: ['Timer', '计时器'],
  classmatesTitle: ['Visibility of ranks and points', '同学之间的信息可见范围'],
  classmatesText: [
    'Choose how much students see of each other in the students’ app. They always see their own points. This changes nothing for staff and on the projector.',
    '设置学生在学生端能看到同学的哪些信息。学生始终能看到自己的积分；教职工页面和投屏不受影响。',
  ],
  names: ['Names only', '只看姓名'],
  namesHint: ['Students don’t see other students’ ranks or points.', '看不到其他同学的名次和积分。'],
  front: ['Ranks and points of the top half', '前一半同学的名次和积分'],
  frontHint: [
    'The other half is listed by name only, so no one can tell who is last.',
    '其余同学只按姓名列出，看不出谁排在最后。',
  ],
  all: ['Ranks and points of everyone', '所有同学的名次和积分'],
  allHint: [
    'Everyone can see who is last. Consider how those students may feel.',
    '每个人都能看到谁排在最后，请考虑排名靠后同学的感受。',
  ],
  previewTitle: ['Preview for a student in the lower half', '预览：排名后一半的学生看到的内容'],
  previewNames: ['Ava,Ben,Chloe,Daniel,Emma,Finn', '陈静,李明,刘洋,王芳,张伟,赵雪'],
  others: ['Everyone else', '其他同学'],
  you: ['You', '我'],
  giversTitle: ['Who gave the points', '加减分教师姓名'],
  giversText: [
    'Choose whether students see on their records who gave the points. They see the name of the account, never the username.',
    '设置学生能否在自己的积分记录中看到加减分教师。只显示教师姓名，不显示用户名。',
  ],
  giversNever: ['Students don’t see it', '不显示'],
  giversPlus: ['Only for plus points', '仅加分时显示'],
  giversAlways: ['For all points', '加分、减分都显示'],
  timeZoneTitle: ['Time zone of the school', '学校所在时区'],
  timeZoneText: [
    'It sets “today” and the dates in records and statistics, on every device.',
    '“今天”以及记录、统计中的日期均以学校时区为准，与所用设备无关。',
  ],
  timeZone: ['Time zone', '时区'],
  timeZoneNow: ['It is {{time}} at the school now.', '学校现在的时间是 {{time}}。'],
  timeZoneChanges: [
    'Daily figures are recalculated. Points and totals don’t change. Until this is done, giving points may take a few seconds.',
    '系统将重新统计每日数据，积分记录和总积分不变。统计期间加减分可能需要等待几秒。',
  ],
  toolsTitle: ['Classroom tools', '课堂工具'],
  toolsText: [
    'Tools besides points and seats. A tool that you switch off is hidden for everyone.',
    '除积分和座位外的课堂工具。关闭后，所有人都看不到该工具。',
  ],
  timerHint: [
    'Countdown and stopwatch, on “Give points” and on the projector.',
    '倒计时和秒表，可在“加减分”页和投屏时使用。',
  ],
  pick: ['Random pick', '随机点名'],
  pickHint: [
    'Picks students at random. Everyone is picked once that day before anyone is picked again.',
    '随机抽取学生，当天所有人轮过一遍后才会重复。',
  ],
  attendance: ['Attendance', '考勤'],
  attendanceHint: [
    'Record who is absent, late or excused today, and view past days.',
    '登记当天的缺勤、迟到和请假，并可查看以往记录。',
  ],
  notes: ['Notes', '备注'],
  notesHint: [
    'A short note that a teacher adds to a record. Students don’t see it.',
    '教师为积分记录添加的简短说明，学生看不到。',
  ],
  teams: ['Teams', '小组'],
  teamsHint: [
    'Groups of students with points and a ranking of their own.',
    '将学生分组，小组有自己的积分和排名。',
  ],
  leaversTitle: ['Students who have left', '离校学生'],
  leaversText: [
    'Disable students when they leave. Their personal data can then be erased automatically after some time.',
    '学生离校后请停用其账号。停用一段时间后，系统可自动清除其个人信息。',
  ],
  never: ['Keep until erased by hand', '一直保留，手动清除'],
  neverHint: [
    'Erase students one by one, or a whole class under Grades and classes.',
    '可逐个清除，或在“年级与班级”中清除整个班级。',
  ],
  after: ['Erase automatically', '自动清除'],
  afterHint: ['All disabled students are checked every hour.', '系统每小时检查一次所有已停用的学生。'],
  days: ['Days after a student was disabled', '停用后的天数'],
  daysHint: [
    '{{min, number}} to {{max, number}} days. One school year is 365.',
    '{{min, number}} 至 {{max, number}} 天，一学年为 365 天。',
  ],
  daysWrong: [
    'Enter a whole number from {{min, number}} to {{max, number}}.',
    '请输入 {{min, number}} 至 {{max, number}} 之间的整数。',
  ],
  whatGoes: [
    'Erased: name, username, email, password and sign-ins, and the reason of every record. Kept: points, totals and rankings, shown under a number. It can’t be undone.',
    '将清除姓名、用户名、邮箱、密码和登录情况，以及每条记录的理由；保留分值、总积分和排名，以编号显示。清除后无法恢复。',
  ],
  confirmTitle: ['Erase automatically?', '开启自动清除？'],
  confirmText: [
    'Students who have been disabled for more than {{count, number}} days are erased within the next hour. Others are erased when they reach that time. It can’t be undone.',
    '停用超过 {{count, number}} 天的学生，将在一小时内被清除个人信息；其余学生到期后自动清除。清除后无法恢复。',
  ],
  confirmNow: [
    '{{count, number}} disabled student is not erased yet.',
    '{{count, number}} disabled students are not erased yet.',
    '目前有 {{count, number}} 名已停用的学生尚未清除。',
  ],
  confirm: ['Erase automatically', '开启自动清除'],
});
