import Type from 'typebox';
import {
  ApplicationReason,
  ApplicationText,
  Id,
  Input,
  is,
  OneOf,
  ReviewNote,
  SchoolName,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Application, applicationStatuses } from './records.ts';

const tag = 'Applications';
const reviewApplications = { tag, access: 'admin', duty: 'reviewApplications' } as const;
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
    schoolName: is(ApplicationText, 'Name of the school.'),
    applicantName: is(ApplicationText, 'The name of the person who applies.'),
    contactPhone: is(ApplicationText, 'Where the applicant can be reached.'),
    reason: is(ApplicationReason, 'The reason, in words.'),
  }),
  data: Type.Object({
    id: Id,
    schoolName: SchoolName,
    status: is(OneOf(applicationStatuses), 'The state that it is in.'),
  }),
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
  ...reviewApplications,
  summary: 'List the applications, newest first',
  shows: ['application'],
  query: Type.Object({
    ...internalPaging,
    status: Type.Optional(is(OneOf(applicationStatuses), 'Only applications of this status.')),
  }),
  data: Type.Array(Application),
  examples: { data: [application] },
});

export const reviewApplication = internal({
  id: 'reviewApplication',
  method: 'PATCH',
  path: '/applications/:id',
  ...reviewApplications,
  summary: 'Approve or reject an application',
  target: { application: 'path.id' },
  affects: ['application'],
  activity: { verb: 'changed', subject: 'application' },
  body: Input({
    status: is(OneOf(['approved', 'rejected']), 'The state that it is in.'),
    reviewNote: Type.Optional(is(ReviewNote, 'What the reviewer says; null without a word.')),
  }),
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

export const deleteApplication = internal({
  id: 'deleteApplication',
  method: 'DELETE',
  path: '/applications/:id',
  ...reviewApplications,
  summary: 'Delete an application',
  description: 'It names people. A year after it was submitted it goes by itself.',
  target: { application: 'path.id' },
  affects: ['application'],
  activity: { verb: 'removed', subject: 'application' },
  data: Type.Object({ id: Id, schoolName: SchoolName }),
  examples: { data: { id: 8, schoolName: 'Riverside School' } },
});
