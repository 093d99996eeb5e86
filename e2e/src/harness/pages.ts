import type { Traveller } from './journeys.ts';

/** Who is shown with which pages; `{student}` is a student in the range, `{term}` a closed term. */
export const pagesOf: Readonly<Record<Traveller, readonly string[]>> = {
  nobody: ['/', '/admin', '/student'],
  student: ['/student', '/student/records', '/student/class', '/student/news', '/student/account'],
  class: ['/admin', '/admin/scoring', '/admin/projector', '/admin/seats'],
  grade: ['/admin/records', '/admin/terms', '/admin/terms?term={term}'],
  school: [
    '/admin',
    '/admin/students',
    '/admin/students/import',
    '/admin/students/{student}',
    '/admin/templates',
    '/admin/statistics',
    '/admin/structure',
    '/admin/administrators',
    '/admin/api-tokens',
    '/admin/audit-log',
    '/admin/activity',
    '/admin/settings',
    '/admin/account',
  ],
  super: [
    '/admin/schools',
    '/admin/sign-in-providers',
    '/admin/applications',
    '/admin/announcements',
    '/admin/security',
  ],
};
