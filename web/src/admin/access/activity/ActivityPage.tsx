import { loggedActions, verbs } from 'virtual:admin-contract';
import type { Activity, LoggedAction } from '@classledger/contract';
import { Group, Select, Text, TextInput } from '@mantine/core';
import {
  IconAlertTriangle,
  IconEraser,
  IconFileExport,
  IconHistory,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { Hint } from '../../../components/Hint.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { SchoolTimeNote } from '../../../components/SchoolTimeNote.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useTimeZone } from '../../../school-time/school-time.ts';
import { deviceName } from '../../../session/device-name.ts';
import { useMe } from '../../me.ts';
import { PageLink } from '../../PageLink.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { SchoolScopeSwitch, useSchoolScope } from '../../SchoolScopeSwitch.tsx';
import { useSchools } from '../../school.tsx';
import { type FilterProps, parseOneOf } from '../../search-parameters.ts';
import { type ActionsByGroup, actionsByGroup, actionTexts, groupTexts } from '../action-texts.ts';
import { type ActivitySearch, periodOf } from '../search.ts';
import { texts } from './texts.ts';

export default function ActivityPage() {
  const t = useTexts(texts);
  const timeZone = useTimeZone();
  const { all } = useSearch({ from: '/shell/activity' });
  const { schoolDb, everything } = useSchoolScope(all);
  const columns = useColumns(everything);
  return (
    <ListPage
      path="/activity"
      list="listActivity"
      input={({ admin, action, from, to }, paging) => ({
        query: { schoolDb, adminId: admin, action, ...periodOf(timeZone, from, to), ...paging },
      })}
      title={t('title')}
      description={t('description')}
      filters={(search, change) => <Filters search={search} onChange={change} />}
      namesObject={({ admin }) => admin !== undefined}
      count={(count) => t('count', { count })}
      columns={columns}
      nameOf={({ action }) => action}
      empty={{ icon: IconHistory, title: t('emptyTitle'), hint: t('emptyHint') }}
    >
      <SchoolTimeNote />
    </ListPage>
  );
}

function Filters({ search, onChange }: FilterProps<ActivitySearch>) {
  const t = useTexts(texts);
  const a = useTexts(actionTexts);
  const g = useTexts(groupTexts);
  const { schoolDb } = useSchoolScope(search.all);
  const groups = Object.keys(actionsByGroup) as (keyof ActionsByGroup)[];
  return (
    <>
      <SchoolScopeSwitch all={search.all} onChange={(all) => onChange({ all, admin: undefined })} />
      <AdminFilter schoolDb={schoolDb} value={search.admin} onChange={(admin) => onChange({ admin })} />
      <Select
        label={t('what')}
        placeholder={t('everyAction')}
        data={groups.map((group) => ({
          group: g(group),
          items: (Object.keys(actionsByGroup[group]) as LoggedAction[]).map((action) => ({
            value: action,
            label: a(action),
          })),
        }))}
        value={search.action ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
        searchable
        clearable
      />
      <TextInput
        type="date"
        label={t('from')}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
    </>
  );
}

interface AdminFilterProps {
  readonly schoolDb: string | undefined;
  readonly value: number | undefined;
  readonly onChange: (admin: number | undefined) => void;
}

function AdminFilter({ schoolDb, value, onChange }: AdminFilterProps) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listAdministrators', { query: { schoolDb } });
  const known = (data ?? []).map(({ id, username }) => ({ value: id, label: username }));
  // Adds an administrator whom the list lacks, because the log also contains deleted and super administrators.
  const missing = value !== undefined && !known.some((one) => one.value === value);
  return (
    <Select
      label={t('who')}
      placeholder={t('everybody')}
      data={missing ? [...known, { value, label: t('unknownAdmin', { id: value }) }] : known}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      loading={isPending}
      searchable
      clearable
      limit={100}
    />
  );
}

function useColumns(withSchool: boolean): Column<Activity>[] {
  const t = useTexts(texts);
  const me = useMe();
  const { schools } = useSchools();
  const schoolColumn: Column<Activity> = {
    header: t('school'),
    cell: ({ schoolId }) => schools.find(({ id }) => id === schoolId)?.name ?? '–',
  };
  return [
    { header: t('what'), cell: ({ action }) => <ActionText action={action} /> },
    { header: t('target'), cell: (entry) => <Target {...entry} /> },
    {
      header: t('who'),
      cell: ({ adminId, username, ip, userAgent }) => (
        <>
          {username}
          {adminId === me.id && <Hint span>{` (${t('you')})`}</Hint>}
          <Text size="xs" c="dimmed">
            {[deviceName(userAgent), ip].filter((part) => part !== null).join(' · ')}
          </Text>
        </>
      ),
    },
    ...(withSchool ? [schoolColumn] : []),
    { header: t('when'), cell: ({ createdAt }) => <DateText value={createdAt} /> },
  ];
}

function Target({ action, target }: Activity) {
  const name = target?.name ?? (target?.id ? `#${target.id}` : '–');
  if (!target?.id) return name;
  const { id } = target;
  if (action === 'promoteSchool' || action === 'undoPromotion') {
    return (
      <PageLink to="/structure/promotion" search={{ promotion: id }}>
        {name}
      </PageLink>
    );
  }
  if (action !== 'startImport' && action !== 'undoImport') return name;
  return (
    <PageLink to="/imports/$importId" params={{ importId: String(id) }}>
      {name}
    </PageLink>
  );
}

const quiet = 'var(--app-text-quiet)';
const danger = 'var(--app-minus)';

const kindIcons = {
  added: [IconPlus, 'var(--app-accent)'],
  changed: [IconPencil, quiet],
  removed: [IconTrash, danger],
  erased: [IconEraser, danger],
  disclosed: [IconFileExport, quiet],
  account: [IconUser, quiet],
  failed: [IconAlertTriangle, danger],
} as const;

function ActionText({ action }: { readonly action: string }) {
  const a = useTexts(actionTexts);
  const [KindIcon, color] = kindIcons[verbs[action] ?? (action.endsWith('Failed') ? 'failed' : 'account')];
  // An older version may have logged an action that this version does not know.
  const known = parseOneOf(loggedActions, action);
  return (
    <Group component="span" gap={8} wrap="nowrap" fw={500}>
      <KindIcon aria-hidden size={16} color={color} />
      {known ? a(known) : action}
    </Group>
  );
}
