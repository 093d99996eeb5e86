import type { Announcement } from '@classledger/contract';
import type { Transaction } from '../database/connect.ts';

const dayMs = 86_400_000;

const announcements: readonly (Pick<Announcement, 'title' | 'content' | 'type'> & { daysAgo: number })[] = [
  {
    title: '欢迎使用 Classledger · Welcome',
    content:
      '<p>本学期的积分从今天开始。 <strong>Every point is a line in the ledger</strong>, and every total follows from it.</p>',
    type: 'success',
    daysAgo: 120,
  },
  {
    title: '周六晚间维护 · Maintenance on Saturday evening',
    content:
      '<p>The service pauses on <em>Saturday from 22:00 to 22:30</em>.</p><ul><li>Points can be given before and after.</li><li>Nothing that was given is lost.</li></ul>',
    type: 'warning',
    daysAgo: 2,
  },
];

const applications = [
  {
    school_name: '滨江实验小学 Binjiang Primary School',
    applicant_name: '陈静',
    contact_phone: '+86 571 5555 0142',
    reason: 'Twelve classes would like to keep their points together from next term on.',
    daysAgo: 3,
  },
  {
    school_name: 'Hillside Middle School',
    applicant_name: 'Laura Bennett',
    contact_phone: '+44 20 7946 0321',
    reason: 'We keep merit points on paper now and would like the parents’ evening lists to add up.',
    daysAgo: 30,
    review: { status: 'approved' as const, note: 'Welcome. The school is created next week.', daysAgo: 28 },
  },
];

export async function loadAnnouncementsAndApplications(tx: Transaction, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  await tx
    .insertInto('announcement')
    .values(
      announcements.map(({ daysAgo, ...announcement }) => ({
        ...announcement,
        active: true,
        created_at: before(daysAgo),
        updated_at: before(daysAgo),
      })),
    )
    .execute();
  const reviewer = await tx
    .selectFrom('admin')
    .where('role', '=', 'super_admin')
    .select(['id', 'username'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('application')
    .values(
      applications.map(({ daysAgo, review, ...application }) => ({
        ...application,
        created_at: before(daysAgo),
        ...(review && {
          status: review.status,
          review_note: review.note,
          reviewed_at: before(review.daysAgo),
          reviewed_by_id: reviewer.id,
          reviewed_by_username: reviewer.username,
        }),
      })),
    )
    .execute();
}
