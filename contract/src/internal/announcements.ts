import Type from 'typebox';
import { AnnouncementContent, BooleanOrBit, Id, Input, is, OneOf, Optional, Title } from '../fields.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Announcement, announcementTypes } from './records.ts';

const manageAnnouncements = { access: 'admin', duty: 'manageAnnouncements' } as const;

const list = {
  shows: ['announcement'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(Announcement),
} as const;

const HtmlContent = is(AnnouncementContent, 'The text, as HTML.');
const IsActive = Optional(
  BooleanOrBit,
  'Whether the announcement is public, as 1 or 0. A request may also send true or false.',
);

export const announcementOperations = internal('Announcements', {
  listAnnouncements: {
    route: 'GET /announcements',
    summary: 'List the active announcements, newest first',
    access: 'public',
    ...list,
  },

  listAllAnnouncements: {
    route: 'GET /announcements/admin',
    ...manageAnnouncements,
    summary: 'List all announcements, newest first',
    ...list,
  },

  createAnnouncement: {
    route: 'POST /announcements',
    ...manageAnnouncements,
    summary: 'Create an announcement; its HTML is sanitised',
    affects: ['announcement'],
    activity: { verb: 'added', subject: 'announcement' },
    body: Input({
      title: is(Title, 'The title.'),
      content: HtmlContent,
      type: Type.Optional(OneOf(announcementTypes, { description: 'The default is `info`.' })),
      active: IsActive,
    }),
    data: Announcement,
  },

  previewAnnouncement: {
    route: 'POST /announcements/preview',
    ...manageAnnouncements,
    summary: 'Preview the sanitised HTML without storing it',
    affects: [],
    activity: null,
    body: Input({ content: HtmlContent }),
    data: Type.Object({ content: is(Type.String(), 'The text, as HTML.') }),
  },

  updateAnnouncement: {
    route: 'PATCH /announcements/:id',
    ...manageAnnouncements,
    summary: 'Change, show or hide an announcement',
    target: { announcement: 'path.id' },
    affects: ['announcement'],
    activity: { verb: 'changed', subject: 'announcement' },
    body: Input({
      title: Optional(Title, 'The title.'),
      content: Type.Optional(HtmlContent),
      type: Optional(OneOf(announcementTypes), 'The kind.'),
      active: IsActive,
    }),
    data: Announcement,
  },

  deleteAnnouncement: {
    route: 'DELETE /announcements/:id',
    ...manageAnnouncements,
    summary: 'Delete an announcement',
    target: { announcement: 'path.id' },
    affects: ['announcement'],
    activity: { verb: 'removed', subject: 'announcement' },
    data: Type.Object({ id: Id, title: is(Type.String(), 'The title.') }),
  },
});
