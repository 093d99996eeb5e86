import type { Permission } from '@classledger/contract';
import { defineTexts, type Entry } from '../../../i18n/texts.ts';

export const permissionTexts = defineTexts({
  'students:read': ['Read students', '读取学生'],
  'about students:read': ['List students and view a single student.', '查看学生列表和单个学生。'],
  'students:write': ['Add and change students', '添加和修改学生'],
  'about students:write': ['Except their password and email.', '不能修改密码和邮箱。'],
  'students:delete': ['Delete students', '删除学生'],
  'about students:delete': [
    'Also deletes all their records and their seat. This can’t be undone.',
    '连同其全部积分记录和座位一并删除，无法恢复。',
  ],
  'scores:read': ['Read point records', '读取积分记录'],
  'about scores:read': [
    'List plus and minus points, also of past terms.',
    '查看加分和扣分记录，包括历史学期。',
  ],
  'scores:write': ['Give points', '加分和扣分'],
  'about scores:write': ['Give plus and minus points.', '给学生加分或扣分。'],
  'scores:revoke': ['Undo point records', '撤销积分记录'],
  'about scores:revoke': ['Undo points that were given.', '撤销已给出的加分或扣分。'],
  'structure:read': ['Read grades and classes', '读取年级和班级'],
  'about structure:read': [
    'List grades and classes, and view seating plans with student names.',
    '查看年级、班级列表，以及各班座位表（含学生姓名）。',
  ],
  'structure:write': ['Add and change grades and classes', '添加和修改年级、班级'],
  'about structure:write': [
    'Create, rename and move them, and change seating plans.',
    '新建、重命名和移动年级、班级，修改座位表。',
  ],
  'structure:delete': ['Delete grades and classes', '删除年级和班级'],
  'about structure:delete': [
    'Also deletes all students and records in them. This can’t be undone.',
    '连同其中的全部学生和积分记录一并删除，无法恢复。',
  ],
  'templates:read': ['Read templates', '读取模板'],
  'about templates:read': ['List templates.', '查看模板列表。'],
  'templates:write': ['Change templates', '管理模板'],
  'about templates:write': ['Create, change and delete templates.', '新建、修改和删除模板。'],
  'stats:read': ['Read statistics', '读取统计'],
  'about stats:read': [
    'View the overview of the scope, and the sums of students, classes and days.',
    '查看凭证范围内的统计概览，以及各学生、班级和日期的合计。',
  ],
} satisfies Record<Permission | `about ${Permission}`, Entry>);
