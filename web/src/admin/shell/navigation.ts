import type { ClassroomTool, Duty } from '@classledger/contract';
import {
  type Icon,
  IconArmchair,
  IconAward,
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartBar,
  IconClipboardCheck,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconLogs,
  IconSchool,
  IconSettings,
  IconShieldLock,
  IconSitemap,
  IconSpeakerphone,
  IconTemplate,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';

interface Item {
  readonly to: string;
  /** First parts of the paths of pages that also belong to this entry. */
  readonly below?: readonly string[];
  readonly icon: Icon;
  readonly text: string;
  readonly duty: Duty;
  readonly tool?: ClassroomTool;
  readonly group: 'class' | 'school' | 'system';
  /** Works without a school. `first` entries are in the menu even if there is no school. */
  readonly schoolless?: true | 'first';
  /** Class teachers find this entry under “More”. */
  readonly rare?: true;
  /** Shown also in the bar at the bottom of a phone. */
  readonly pinned?: true;
}

// biome-ignore format: columns make this table readable
const items = [
  { to: '/', icon: IconLayoutDashboard, text: 'dashboard', duty: 'readStatistics', group: 'class', schoolless: 'first', pinned: true },
  { to: '/scoring', below: ['/teams'], icon: IconAward, text: 'scoring', duty: 'teachClasses', group: 'class', pinned: true },
  { to: '/students', below: ['/imports'], icon: IconUsers, text: 'students', duty: 'readStudents', group: 'class', pinned: true },
  { to: '/records', icon: IconListDetails, text: 'records', duty: 'teachClasses', group: 'class', pinned: true },
  { to: '/templates', icon: IconTemplate, text: 'templates', duty: 'manageTemplates', group: 'class' },
  { to: '/seats', icon: IconArmchair, text: 'seats', duty: 'readSeats', group: 'class' },
  { to: '/attendance', icon: IconClipboardCheck, text: 'attendance', duty: 'teachClasses', tool: 'attendance', group: 'class' },
  { to: '/statistics', icon: IconChartBar, text: 'statistics', duty: 'readStatistics', group: 'class' },
  { to: '/structure', icon: IconSitemap, text: 'structure', duty: 'readStructure', group: 'school' },
  { to: '/terms', icon: IconCalendarEvent, text: 'terms', duty: 'readTerms', group: 'school' },
  { to: '/administrators', icon: IconUserShield, text: 'administrators', duty: 'readAdministrators', group: 'school', schoolless: true, rare: true },
  { to: '/api-tokens', below: ['/webhooks'], icon: IconKey, text: 'apiTokens', duty: 'manageCredentials', group: 'school', rare: true },
  { to: '/audit-log', icon: IconLogs, text: 'auditLog', duty: 'manageCredentials', group: 'school', rare: true },
  { to: '/activity', icon: IconHistory, text: 'activity', duty: 'readActivity', group: 'school', schoolless: true, rare: true },
  { to: '/settings', icon: IconSettings, text: 'settings', duty: 'manageSchoolSettings', group: 'school' },
  { to: '/schools', icon: IconBuildingCommunity, text: 'schools', duty: 'manageSchools', group: 'system', schoolless: 'first' },
  { to: '/applications', icon: IconInbox, text: 'applications', duty: 'reviewApplications', group: 'system', schoolless: true },
  { to: '/announcements', icon: IconSpeakerphone, text: 'announcements', duty: 'manageAnnouncements', group: 'system', schoolless: true },
  { to: '/security', icon: IconShieldLock, text: 'security', duty: 'manageSecurity', group: 'system', schoolless: 'first' },
] as const satisfies readonly Item[];

export interface NavigationItem extends Item {
  readonly to: (typeof items)[number]['to'];
  readonly text: (typeof items)[number]['text'];
}

/** Pages that need more than their entry. */
const stricterPages: readonly (readonly [path: string, duty: Duty])[] = [
  ['/students/import', 'manageStudents'],
  ['/students/roster', 'manageStudents'],
  ['/imports', 'manageStudents'],
  ['/templates/categories', 'manageSchoolSettings'],
];

/** Returns the duty that a page needs; undefined for pages of every administrator. */
export function dutyOf(path: string): Duty | undefined {
  const stricter = stricterPages.find(([start]) => path.startsWith(start));
  return stricter?.[1] ?? navigationItemOf(path)?.duty;
}

export const navigation: readonly NavigationItem[] = items;

/** Returns the entry of a page or of the page above it. */
export function navigationItemOf(path: string): NavigationItem | undefined {
  const first = `/${path.split('/')[1] ?? ''}`;
  return navigation.find(({ to, below }) => to === first || below?.includes(first));
}

export const schoolIcon: Icon = IconSchool;
