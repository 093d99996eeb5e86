export const exampleWebhook = {
  id: 3,
  url: 'https://sync.riverside.example/classledger',
  events: ['student.*', 'score.created'],
  description: 'Nightly sync',
  active: true,
  stoppedBecause: null,
  failingSince: null,
  nextAttemptAt: null,
  lastDeliveredAt: '2026-09-03T01:20:01.000Z',
  missedAt: null,
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-09-01T08:00:00.000Z',
};

export const exampleDetails = { externalId: 'S-2026-0117', cardNumber: '0004831207' };

const person = { username: 'li.wei', actualName: '李伟' };
const place = { classId: 12, className: 'Class 2', gradeId: 3, gradeName: 'Grade 3' };

export const exampleStudent = {
  id: 1201,
  ...person,
  ...exampleDetails,
  ...place,
  disabled: false,
  totalScore: 17,
  addScore: 19,
  deductScore: -2,
  scoreCount: 9,
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-09-01T08:00:00.000Z',
};

export const exampleRecord = {
  id: 90411,
  userId: 1201,
  ...person,
  ...place,
  scoreChange: 2,
  description: 'Homework',
  categoryId: 2,
  occurredAt: '2026-09-03T01:19:48.000Z',
  createdAt: '2026-09-03T01:20:00.000Z',
};

const structure = {
  schoolId: 1,
  createdAt: '2026-08-20T02:11:09.412Z',
  updatedAt: '2026-08-20T02:11:09.412Z',
  archived: false,
};

export const exampleGrade = {
  id: 3,
  name: 'Grade 3',
  ...structure,
};

export const exampleClass = {
  id: 12,
  name: 'Class 2',
  gradeId: 3,
  gradeName: 'Grade 3',
  ...structure,
};

export const exampleTemplate = {
  id: 4,
  classId: null,
  global: true,
  name: 'Homework complete',
  scoreChange: 2,
  description: 'All tasks handed in',
  categoryId: null,
  createdAt: '2026-08-20T02:11:09.412Z',
  updatedAt: '2026-08-20T02:11:09.412Z',
};

export const exampleCategory = {
  id: 2,
  code: 'zhi',
  name: 'Intellectual',
  colour: 2,
  position: 2,
  retired: false,
  createdAt: '2026-08-20T02:11:09.412Z',
  updatedAt: '2026-08-20T02:11:09.412Z',
};

/** Returns a bulk result in which every entry succeeded. @param details further fields of each entry */
export function exampleOfSuccess<D extends object>(...details: readonly D[]) {
  return {
    successCount: details.length,
    failedCount: 0,
    totalCount: details.length,
    details: details.map((detail, index) => ({ index, success: true, code: 0, reason: null, ...detail })),
  };
}

export const exampleBulkScores = exampleOfSuccess({
  userId: 1201,
  username: 'li.wei',
  scoreChange: 2,
  logId: 90411,
});

export const exampleRevoked = { logId: 90411, userId: 1201, username: 'li.wei', revokedScoreChange: 2 };

export const exampleSeat = {
  id: 501,
  classId: 12,
  groupIndex: 1,
  row: 1,
  col: 1,
  userId: 1201,
  ...person,
};
