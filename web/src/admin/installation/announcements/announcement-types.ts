import type { Announcement } from '@classledger/contract';
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconUrgent,
} from '@tabler/icons-react';

/** From calm to urgent. */
export const announcementTypes = [
  'info',
  'success',
  'warning',
  'error',
] as const satisfies Announcement['type'][];

/** The signs that announcements carry on the start page. */
export const typeIcons: Readonly<Record<Announcement['type'], Icon>> = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconUrgent,
};
