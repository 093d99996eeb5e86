import type { StudentExport } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { personalDataPage } from './export-page.ts';

const hostile = `"><img src=x onerror=alert(1)>'</style></script>&amp;`;

const dataWith = (text: string, records = 1): StudentExport => ({
  id: 1201,
  username: text,
  exportedAt: '2026-09-15T10:00:00.000Z',
  school: { id: 7, name: text },
  account: {
    ...{ username: text, actualName: text, classId: 1, className: text, gradeId: 1, gradeName: text },
    ...{
      createdAt: '2026-09-01T08:00:00.000Z',
      disabledAt: '2026-09-02T08:00:00.000Z',
      erasedAt: null,
      pickedOn: null,
    },
    ...{ email: text, emailBoundAt: '2026-09-01T08:00:00.000Z' },
    ...{ externalId: text, cardNumber: text, updatedAt: '2026-09-02T08:00:00.000Z' },
  },
  waysIn: [{ kind: text, detail: text, endsAt: '2026-09-01T08:00:00.000Z' }],
  totals: { totalScore: -1_234, addScore: 5, deductScore: -1_239, scoreCount: 2 },
  team: null,
  seat: { groupIndex: 1, row: 2, col: 3 },
  records: Array.from({ length: records }, (_, n) => ({
    id: n + 1,
    occurredAt: '2026-09-03T01:19:48.000Z',
    createdAt: '2026-09-03T01:20:00.000Z',
    scoreChange: n - 1,
    description: text,
    note: text,
    author: { type: 'credential', id: 1, name: text },
    termId: 4,
    revokedAt: '2026-09-04T01:20:00.000Z',
    revokedBy: { type: 'admin', id: 1, name: text },
  })),
  absences: [
    {
      ...{ day: '2026-09-03', state: 'late', markedAt: '2026-09-03T01:20:00.000Z' },
      markedBy: { type: 'admin', id: 1, name: text },
    },
  ],
  imports: [
    {
      ...{ createdAt: '2026-09-02T01:20:00.000Z', username: text, action: 'changed' },
      ...{ before: { actualName: text }, after: { actualName: text } },
    },
  ],
  terms: [
    {
      ...{ id: 4, name: text, className: text },
      ...{ startedAt: '2026-09-01T08:00:00.000Z', closedAt: '2026-09-10T08:00:00.000Z' },
      standing: {
        ...{ rank: 2, username: text, actualName: `${text} before` },
        ...{ totalScore: 7, addScore: 7, deductScore: 0, scoreCount: 1 },
      },
    },
  ],
  signIns: [
    {
      ...{ createdAt: '2026-09-03T01:20:00.000Z', lastSeenAt: '2026-09-03T01:20:00.000Z' },
      ...{ openedWith: text, shared: true, ip: text, userAgent: text },
    },
  ],
  events: [{ createdAt: '2026-09-03T01:20:00.000Z', kind: text, ip: text, userAgent: text }],
  activity: [{ createdAt: '2026-09-03T01:20:00.000Z', username: text, action: text, name: text }],
});

describe.each(['en', 'zh-CN'] as const)('Export page of a student’s data in %s', (language) => {
  it('runs no script and loads nothing, even with hostile data', () => {
    const page = personalDataPage(dataWith(hostile), language, 'Asia/Shanghai');
    expect(page).not.toContain('<img');
    expect(page.match(/<\/?(?:script|link|iframe|img|object|form)\b/gi)).toBeNull();
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).not.toMatch(/\b(?:https?:|url\(|@import|javascript:)/i);
    expect(page).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;');
    expect(page).toContain(`default-src 'none'`);
  });

  it('shows every part, and each of thousands of records', () => {
    const page = personalDataPage(dataWith('somebody', 5_000), language, 'Asia/Shanghai');
    expect(page.match(/<tr><td class="when"><time/g)).toHaveLength(5_000 + 4);
    expect(page.match(/<h2>/g)).toHaveLength(9);
    expect(page).toContain(`lang="${language}"`);
    expect(page).toContain('somebody before');
  });

  it('says that a part is empty', () => {
    const none = { ...dataWith('somebody'), records: [], terms: [], signIns: [], events: [], activity: [] };
    expect(personalDataPage(none, language, 'Asia/Shanghai').match(/<p class="quiet">/g)).toHaveLength(6);
  });
});
