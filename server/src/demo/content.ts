export const schoolName = '江畔双语学校 Riverside Bilingual School';

export const gradeNames =
  '初一 Grade 7|初二 Grade 8|初三 Grade 9|高一 Grade 10|高二 Grade 11|高三 Grade 12'.split('|');

/** `|` separates the texts. */
const weightedReasons = [
  { points: 1, weight: 30, texts: '课堂发言积极|作业按时上交|主动帮助同学|坐姿端正|值日认真' },
  { points: 1, weight: 16, texts: 'Helped a classmate|Good question in class|Homework on time' },
  {
    points: 2,
    weight: 21,
    texts: '作业优秀|单词听写全对|小组合作出色|Excellent homework|Full marks in dictation',
  },
  { points: 3, weight: 7, texts: 'Great progress in the unit test|单元测验进步明显|黑板报获好评' },
  { points: 4, weight: 2, texts: '组织班级活动|升旗仪式发言|Led the class activity' },
  { points: 5, weight: 2, texts: '学科竞赛获奖|运动会获奖|Prize at the science fair' },
  { points: -1, weight: 65, texts: '迟到|上课讲话|Late for class|Homework missing|作业未交' },
  { points: -2, weight: 30, texts: 'Phone used in class|课间打闹|早操缺勤' },
  { points: -3, weight: 10, texts: '扰乱课堂秩序|Disturbed the lesson' },
  { points: -4, weight: 3, texts: '损坏公物|Damaged school property' },
  { points: -5, weight: 2, texts: '测验作弊|Copied in a test' },
];

/** Reasons of templates and records. The weight is the share among the records with the same sign. */
export const reasons = weightedReasons.map((reason) => ({ ...reason, texts: reason.texts.split('|') }));

export const announcements = [
  {
    title: '欢迎使用 Classledger · Welcome',
    content:
      '<p>本学期的积分从今天开始。 <strong>Every point is a line in the ledger</strong>, and every total follows from it.</p>',
    type: 'success' as const,
    daysAgo: 120,
  },
  {
    title: '周六晚间维护 · Maintenance on Saturday evening',
    content:
      '<p>The service pauses on <em>Saturday from 22:00 to 22:30</em>.</p><ul><li>Points can be given before and after.</li><li>Nothing that was given is lost.</li></ul>',
    type: 'warning' as const,
    daysAgo: 2,
  },
];

export const application = {
  school_name: '滨江实验小学 Binjiang Primary School',
  applicant_name: '陈静',
  contact_phone: '+86 571 5555 0142',
  reason: 'Twelve classes would like to keep their points together from next term on.',
};
