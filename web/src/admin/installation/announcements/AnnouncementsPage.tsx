import type { Announcement } from '@classledger/contract';
import { Group, Switch } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { announcementIcons } from '../../../components/AnnouncementCard.tsx';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ListPage } from '../../page/ListPage.tsx';
import { DialogLink, type RowAction } from '../../page/RowActions.tsx';
import { defineWrite, useRunWriteWithNotice } from '../../page/write.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import { texts } from './texts.ts';

export default function AnnouncementsPage() {
  const t = useTexts(texts);
  const columns = useColumns();
  const actions = useActions();
  return (
    <ListPage
      path="/announcements"
      list="listAllAnnouncements"
      input={(_, paging) => ({ query: paging })}
      pageSize={20}
      title={t('title')}
      description={t('description')}
      columns={columns}
      nameOf={({ title }) => title}
      actions={actions}
      create={{ label: t('create'), open: (dialog) => <AnnouncementForm {...dialog} /> }}
      empty={{ icon: IconSpeakerphone, title: t('emptyTitle'), hint: t('emptyHint') }}
    />
  );
}

function useActions(): (announcement: Announcement) => readonly RowAction[] {
  const t = useTexts(texts);
  return (announcement) => {
    const { id, title } = announcement;
    return [
      {
        kind: 'edit',
        open: (dialog) => <AnnouncementForm {...dialog} announcement={announcement} />,
      },
      {
        remove: {
          title: t('deleteTitle'),
          text: t('deleteText', { title }),
          run: defineWrite('deleteAnnouncement', { params: { id } }, () => t('deletedDone', { title })),
        },
      },
    ];
  };
}

function useColumns(): Column<Announcement>[] {
  const t = useTexts(texts);
  return [
    {
      header: t('announcement'),
      cell: (announcement) => (
        <DialogLink dialog={(dialog) => <AnnouncementForm {...dialog} announcement={announcement} />}>
          {announcement.title}
        </DialogLink>
      ),
    },
    {
      header: t('type'),
      cell: ({ type }) => {
        const Shown = announcementIcons[type];
        return (
          <Group gap={6} wrap="nowrap" component="span">
            <Shown aria-hidden size={17} stroke={1.7} />
            {t(type)}
          </Group>
        );
      },
    },
    { header: t('changed'), cell: ({ updatedAt }) => <DateText value={updatedAt} as="ago" /> },
    { header: t('shown'), cell: (announcement) => <ActiveSwitch announcement={announcement} /> },
  ];
}

function ActiveSwitch({ announcement: { id, title, active } }: { readonly announcement: Announcement }) {
  const t = useTexts(texts);
  const { run, isPending } = useRunWriteWithNotice();
  const show = (next: boolean) =>
    defineWrite('updateAnnouncement', { params: { id }, body: { active: next } }, (changed) =>
      t(changed.active ? 'nowShown' : 'nowHidden', { title }),
    );
  const isShown = active === 1;
  return (
    <Switch
      aria-label={t('shownNamed', { title })}
      checked={isPending ? !isShown : isShown}
      onChange={({ currentTarget: { checked } }) => run(show(checked))}
    />
  );
}
