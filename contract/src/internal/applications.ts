import Type from 'typebox';
import {
  ApplicationReason,
  ApplicationText,
  Id,
  Input,
  is,
  OneOf,
  Optional,
  ReviewNote,
  SchoolName,
} from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Application, applicationStatuses } from './records.ts';

const reviewApplications = { access: 'admin', duty: 'reviewApplications' } as const;

export const applicationOperations = internal('Applications', {
  submitApplication: {
    route: 'POST /applications',
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
      status: is(OneOf(applicationStatuses), 'The current status.'),
    }),
  },

  listApplications: {
    route: 'GET /applications',
    ...reviewApplications,
    summary: 'List the applications, newest first',
    shows: ['application'],
    query: Type.Object({
      ...internalPaging,
      status: Optional(OneOf(applicationStatuses), 'Only applications of this status.'),
    }),
    data: Type.Array(Application),
  },

  reviewApplication: {
    route: 'PATCH /applications/:id',
    ...reviewApplications,
    summary: 'Approve or reject an application',
    target: { application: 'path.id' },
    affects: ['application'],
    activity: { verb: 'changed', subject: 'application' },
    body: Input({
      status: is(OneOf(['approved', 'rejected']), 'The current status.'),
      reviewNote: Optional(ReviewNote, 'The note of the reviewer, or null if there is none.'),
    }),
    data: Application,
  },

  deleteApplication: {
    route: 'DELETE /applications/:id',
    ...reviewApplications,
    summary: 'Delete an application',
    description:
      'The application names people. The server deletes it automatically one year after it was submitted.',
    target: { application: 'path.id' },
    affects: ['application'],
    activity: { verb: 'removed', subject: 'application' },
    data: Type.Object({ id: Id, schoolName: SchoolName }),
  },
});
