import { row, who } from './internal-access-rows.ts';

export const classroomRows = {
  addScore: row(who.inRange, 'student', ({ place }) => ({
    path: '/scores/add',
    body: { userId: place.student.id, scoreChange: 1 },
  })),
  // The answer is 200 even if an entry fails, so only the template can make the whole request fail.
  addScores: row(who.inRange, 'template', async ({ world, place }) => ({
    path: '/scores/batch',
    body: { templateId: await world.newTemplate(place), items: [{ userId: place.student.id }] },
  })),
  listScoreLogs: row(who.inRange, 'student', ({ place }) => ({
    path: `/scores/logs?userId=${place.student.id}`,
  })),
  revokeScoreLog: row(who.inRange, 'record', async ({ world, place }) => ({
    path: `/scores/logs/${await world.newRecord(place)}`,
  })),
  revokeScoreLogs: row(who.inRange, 'record', async ({ world, place }) => ({
    path: '/scores/logs/revoke',
    body: { ids: [await world.newRecord(place)] },
  })),

  noteScoreLogs: row(who.inRange, 'record', async ({ world, place }) => ({
    path: '/scores/logs/note',
    body: { ids: [await world.newRecord(place)], note: 'Seen' },
  })),

  getAttendance: row(who.inRange, 'class', ({ place }) => ({ path: `/attendance?classId=${place.classId}` })),
  markAttendance: row(who.inRange, 'class', ({ place }) => ({
    path: '/attendance',
    body: { classId: place.classId, state: 'present', userIds: [place.student.id] },
  })),
  giveForAttendance: row(who.inRange, 'class', ({ place }) => ({
    path: '/attendance/points',
    body: { classId: place.classId, excused: 1 },
  })),
  listAbsences: row(who.inRange, 'student', ({ place }) => ({
    path: `/attendance/absences?userId=${place.student.id}`,
  })),

  getPicks: row(who.inRange, 'class', ({ place }) => ({ path: `/picks?classId=${place.classId}` })),
  markPicks: row(who.inRange, 'class', ({ place }) => ({
    path: '/picks',
    body: { classId: place.classId, day: '2026-09-01', userIds: [place.student.id] },
  })),

  listScoreTemplates: row(who.inRange, 'class', ({ place }) => ({
    path: `/scores/templates?classId=${place.classId}`,
  })),
  createScoreTemplate: row(who.inRange, 'class', ({ world, place }) => ({
    path: '/scores/templates',
    body: { name: world.newName(), scoreChange: 1, classId: place.classId },
  })),
  updateScoreTemplate: row(who.inRange, 'template', async ({ world, place }) => ({
    path: `/scores/templates/${await world.newTemplate(place)}`,
    body: { scoreChange: 2 },
  })),
  deleteScoreTemplate: row(who.inRange, 'template', async ({ world, place }) => ({
    path: `/scores/templates/${await world.newTemplate(place)}`,
  })),

  listSeats: row(who.inRange, 'class', ({ place }) => ({ path: `/seats/data?classId=${place.classId}` })),
  generateSeats: row(who.inRange, 'class', ({ place }) => ({
    path: '/seats/data/generate',
    body: { classId: place.classId, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 1 },
  })),
  updateSeat: row(who.inRange, 'seat', async ({ world, place }) => ({
    path: `/seats/data/${await world.newSeat(place)}`,
    body: { userId: place.student.id },
  })),

  getTeams: row(who.inRange, 'class', ({ place }) => ({ path: `/teams?classId=${place.classId}` })),
  replaceTeams: row(who.inRange, 'class', async ({ world, place }) => ({
    path: '/teams',
    body: { classId: place.classId, version: await world.versionOfTeams(place), teams: [] },
  })),
  giveTeamPoints: row(who.inRange, 'class', async ({ world, place }) => ({
    path: '/teams/records',
    body: { classId: place.classId, teamIds: [await world.newTeam(place)], scoreChange: 1 },
  })),
  listTeamRecords: row(who.inRange, 'class', ({ place }) => ({
    path: `/teams/records?classId=${place.classId}`,
  })),
  revokeTeamRecords: row(who.inRange, 'class', async ({ world, place }) => ({
    path: '/teams/records/revoke',
    body: { classId: place.classId, ids: [await world.newTeamRecord(place)] },
  })),
};
