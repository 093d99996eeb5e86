import Type from 'typebox';
import { ApplicationReason, ApplicationText, Id, Input, OneOf, ReviewNote } from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Application, applicationStatuses } from './records.ts';

const tag = 'Applications';
const application = {
  id: 8,
  schoolName: 'Riverside School',
  applicantName: 'Mei Zhao',
  contactPhone: '+86 10 5550 0142',
  reason: 'We would like to use points in grades 1 to 3.',
  status: 'pending',
  reviewNote: null,
  reviewedAt: null,
  reviewedBy: null,
  createdAt: '2026-09-01T08:00:00.000Z',
};

export const submitApplication = internal({
  id: 'submitApplication',
  method: 'POST',
  path: '/applications',
  tag,
  summary: 'Apply for a school',
  access: 'public',
  affects: ['application'],
  throttled: 'applications',
  body: Input({
    schoolName: ApplicationText,
    applicantName: ApplicationText,
    contactPhone: ApplicationText,
    reason: ApplicationReason,
  }),
  data: Type.Object({ id: Id, schoolName: Type.String(), status: OneOf(applicationStatuses) }),
  examples: {
    body: {
      application: {
        schoolName: 'Riverside School',
        applicantName: 'Mei Zhao',
        contactPhone: '+86 10 5550 0142',
        reason: 'We would like to use points in grades 1 to 3.',
      },
    },
    data: { id: 8, schoolName: 'Riverside School', status: 'pending' },
  },
});

export const listApplications = internal({
  id: 'listApplications',
  method: 'GET',
  path: '/applications',
  tag,
  summary: 'List the applications, newest first',
  access: 'admin',
  duty: 'reviewApplications',
  shows: ['application'],
  query: Type.Object({ ...internalPaging, status: Type.Optional(OneOf(applicationStatuses)) }),
  data: Type.Array(Application),
  examples: { data: [application] },
});

export const reviewApplication = internal({
  id: 'reviewApplication',
  method: 'PATCH',
  path: '/applications/:id',
  tag,
  summary: 'Approve or reject an application',
  access: 'admin',
  duty: 'reviewApplications',
  target: { application: 'path.id' },
  affects: ['application'],
  activity: { verb: 'changed', subject: 'application' },
  body: Input({ status: OneOf(['approved', 'rejected']), reviewNote: Type.Optional(ReviewNote) }),
  data: Application,
  examples: {
    body: { approve: { status: 'approved', reviewNote: 'Welcome.' } },
    data: {
      ...application,
      status: 'approved',
      reviewNote: 'Welcome.',
      reviewedAt: '2026-09-02T08:00:00.000Z',
      reviewedBy: { id: 1, username: 'admin' },
    },
  },
});
