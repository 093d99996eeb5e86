import { limits } from 'virtual:contract';
import type { Announcement } from '@classledger/contract';
import { Input, Modal, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { announcementIcons } from '../../../components/AnnouncementCard.tsx';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { LeaveGuard } from '../../../components/LeaveGuard.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { serverNow } from '../../../school-time/server-clock.ts';
import classes from './AnnouncementDialog.module.css';
import { AnnouncementPreview } from './AnnouncementPreview.tsx';
import { isBlankHtml } from './announcement-html.ts';
import { ContentField } from './ContentField.tsx';
import { texts } from './texts.ts';

const types = Object.keys(announcementIcons) as Announcement['type'][];

interface AnnouncementDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly announcement: Announcement | null;
}

export function AnnouncementDialog({ opened, onClose, announcement }: AnnouncementDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [dirty, setDirty] = useState(false);
  const [asking, setAsking] = useState(false);
  const [inLinkBox, setInLinkBox] = useState(false);
  const leave = () => {
    setAsking(false);
    setDirty(false);
    onClose();
  };
  const close = () => {
    // Deferred: a question opened while Escape is handled would receive the same key and close at once.
    if (dirty) setTimeout(() => setAsking(true));
    else onClose();
  };
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title={t(announcement ? 'editTitle' : 'createTitle')}
        size={1120}
        fullScreen={onPhone ?? false}
        closeOnClickOutside={false}
        closeOnEscape={!asking && !inLinkBox}
      >
        <AnnouncementForm
          announcement={announcement}
          onDirty={setDirty}
          onLinkBox={setInLinkBox}
          onClose={close}
          onSaved={leave}
        />
      </Modal>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('discardTitle')}
        confirmLabel={t('discard')}
        danger
        onConfirm={leave}
      >
        {t('discardText')}
      </ConfirmDialog>
      <LeaveGuard
        active={opened && dirty}
        title={t('discardTitle')}
        text={t('discardText')}
        confirmLabel={t('discard')}
      />
    </>
  );
}

interface AnnouncementFormProps {
  readonly announcement: Announcement | null;
  readonly onDirty: (dirty: boolean) => void;
  readonly onLinkBox: (opened: boolean) => void;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function AnnouncementForm({ announcement, onDirty, onLinkBox, onClose, onSaved }: AnnouncementFormProps) {
  const t = useTexts(texts);
  const [draft, setDraft] = useState(() => ({
    title: announcement?.title ?? '',
    content: announcement?.content ?? '',
    type: announcement?.type ?? 'info',
    active: announcement ? announcement.active === 1 : true,
    createdAt: announcement?.createdAt ?? new Date(serverNow()).toISOString(),
  }));
  const change = (changed: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    onDirty(true);
  };
  const { save, ...saving } = useSave(announcement, onSaved);
  const { form, shown } = useForm(useFaults(draft), () => {
    const { title, content, type, active } = draft;
    save({ title: title.trim(), content, type, active });
  });
  return (
    <form {...form}>
      <div className={classes.columns}>
        <Stack>
          <TextInput
            label={t('titleLabel')}
            value={draft.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
            maxLength={limits.announcementTitleLengthMax}
            autoComplete="off"
            error={shown.title}
            data-autofocus
          />
          <Input.Wrapper label={t('type')} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={t('type')}
              value={draft.type}
              onChange={(type) => change({ type })}
              data={types.map((value) => ({ value, label: t(value) }))}
            />
          </Input.Wrapper>
          <ContentField
            value={draft.content}
            onChange={(content) => change({ content })}
            error={shown.content}
            onLinkBox={onLinkBox}
          />
          <Switch
            label={t('activeLabel')}
            description={t('activeHint')}
            checked={draft.active}
            onChange={(event) => change({ active: event.currentTarget.checked })}
          />
        </Stack>
        <div className={classes.preview}>
          <AnnouncementPreview draft={draft} />
        </div>
      </div>
      <FormEnd
        attempt={saving}
        sentences={{ 400: t('contentBlank') }}
        onCancel={onClose}
        submitLabel={announcement ? t('save') : t(draft.active ? 'publish' : 'keepHidden')}
        sticky
      />
    </form>
  );
}

function useFaults({ title, content }: Pick<Announcement, 'title' | 'content'>) {
  const t = useTexts(texts);
  const max = limits.announcementContentLengthMax;
  const length = [...content].length;
  return {
    title: title.trim() === '' ? t('required') : undefined,
    content: isBlankHtml(content)
      ? t('contentMissing')
      : length > max
        ? t('contentTooLong', { length, max })
        : undefined,
  };
}

type AnnouncementInput = Pick<Announcement, 'title' | 'content' | 'type'> & { readonly active: boolean };

function useSave(announcement: Announcement | null, onSaved: () => void) {
  const t = useTexts(texts);
  const create = useMutationWithNotice(
    'createAnnouncement',
    ({ active }) => t(active ? 'published' : 'savedHidden'),
    onSaved,
  );
  const update = useMutationWithNotice(
    'updateAnnouncement',
    ({ active }) => t(active ? 'savedShown' : 'savedHidden'),
    onSaved,
  );
  const save = (body: AnnouncementInput) =>
    announcement ? update.mutate({ params: { id: announcement.id }, body }) : create.mutate({ body });
  return { save, isPending: create.isPending || update.isPending, error: create.error ?? update.error };
}
