import type { Database } from '../../database/connect.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import {
  changeAnnouncement,
  contentOf,
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
} from './announcements.ts';

/** Announcements at the internal door: public to read, the super admins' to write. */
export function announcementRoutes(
  db: Database,
): Pick<
  InternalHandlers,
  | 'listAnnouncements'
  | 'listAllAnnouncements'
  | 'createAnnouncement'
  | 'previewAnnouncement'
  | 'updateAnnouncement'
  | 'deleteAnnouncement'
> {
  return {
    listAnnouncements: async ({ query }) => {
      return listAnnouncements(db, 'active', sliceOf(query));
    },
    listAllAnnouncements: async ({ query }) => {
      return listAnnouncements(db, 'all', sliceOf(query));
    },
    createAnnouncement: ({ body, at }) => createAnnouncement(db, body, at),
    previewAnnouncement: async ({ body }) => ({ content: contentOf(body.content) }),
    updateAnnouncement: ({ params, body, at }) => changeAnnouncement(db, params.id, body, at),
    deleteAnnouncement: ({ params }) => deleteAnnouncement(db, params.id),
  };
}
