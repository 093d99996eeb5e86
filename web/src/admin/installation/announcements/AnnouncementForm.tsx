import { limits } from 'virtual:contract';
import type { Announcement } from '@classledger/contract';
import {
  Box,
  Group,
  Input,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { hasStatus } from '../../../api/api-failure.ts';
import { call } from '../../../api/call.ts';
import { queryKeyOf, useMutationOf } from '../../../api/queries.ts';
import { AnnouncementCard, announcementIcons } from '../../../components/AnnouncementCard.tsx';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { LazyBoundary } from '../../../components/ErrorBoundary.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { serverNow } from '../../../school-time/school-time.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { isBlankHtml, isSupportedByEditor } from './announcement-html.ts';
import { texts } from './texts.ts';

const types = Object.keys(announcementIcons) as Announcement['type'][];

interface AnnouncementFormProps extends DialogProps {
  readonly announcement?: Announcement;
}

export function AnnouncementForm({ announcement, ...dialog }: AnnouncementFormProps) {
  const t = useTexts(texts);
  const [createdAt] = useState(announcement?.createdAt ?? new Date(serverNow()).toISOString());
  return (
    <FormDialog
      {...dialog}
      title={t(announcement ? 'editTitle' : 'create')}
      submitLabel={({ active }) => t(announcement ? 'save' : active ? 'publish' : 'keepHidden')}
      bodyOf="createAnnouncement"
      values={{
        title: announcement?.title ?? '',
        type: announcement?.type ?? 'info',
        content: announcement?.content ?? '',
        active: announcement?.active !== 0,
      }}
      check={({ content }) => ({ content: contentFault(content, t) })}
      save={(body) =>
        announcement
          ? defineWrite('updateAnnouncement', { params: { id: announcement.id }, body }, ({ active }) =>
              t(active ? 'savedShown' : 'savedHidden'),
            )
          : defineWrite('createAnnouncement', { body }, ({ active }) =>
              t(active ? 'published' : 'savedHidden'),
            )
      }
      sentences={{ 400: t('contentBlank') }}
      guarded
      long
      size={1120}
    >
      {({ field, checkbox, values, setOverlayOpen }) => (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={{ base: 20, md: 32 }}>
          <Stack>
            <TextInput {...field('title')} label={t('titleLabel')} autoComplete="off" />
            <Input.Wrapper label={t('type')} labelElement="div">
              <SegmentedControl
                {...field('type')}
                fullWidth
                aria-label={t('type')}
                data={types.map((value) => ({ value, label: t(value) }))}
              />
            </Input.Wrapper>
            <ContentField {...field('content')} onLinkBox={setOverlayOpen} />
            <Switch {...checkbox('active')} label={t('activeLabel')} description={t('activeHint')} />
          </Stack>
          <Box
            pos={{ md: 'sticky' }}
            top={76}
            p="md"
            bg="var(--app-background)"
            bdrs="lg"
            style={{ alignSelf: 'start' }}
          >
            <AnnouncementPreview draft={{ ...values, createdAt }} />
          </Box>
        </SimpleGrid>
      )}
    </FormDialog>
  );
}

function contentFault(content: string, t: Translate<typeof texts>): string | undefined {
  const max = limits.announcementContentLengthMax;
  const length = [...content].length;
  if (isBlankHtml(content)) return t('contentMissing');
  return length > max ? t('contentTooLong', { length, max }) : undefined;
}

/** After this pause in typing, the page requests the sanitised text. */
const previewDelayMs = 350;

interface AnnouncementPreviewProps {
  readonly draft: Pick<Announcement, 'title' | 'content' | 'type' | 'createdAt'>;
}

function AnnouncementPreview({ draft }: AnnouncementPreviewProps) {
  const t = useTexts(texts);
  const [content] = useDebouncedValue(draft.content, previewDelayMs);
  const blank = isBlankHtml(content);
  const input = { body: { content } };
  const preview = useQuery({
    queryKey: queryKeyOf('previewAnnouncement', input),
    queryFn: () => call('previewAnnouncement', input),
    enabled: !blank,
    placeholderData: keepPreviousData,
  });
  const shown = blank ? '' : (preview.data?.content ?? '');
  return (
    <section aria-label={t('preview')}>
      <Group gap="xs" align="baseline" mb="xs">
        <Title order={3}>{t('preview')}</Title>
        <Hint>{t('previewHint')}</Hint>
      </Group>
      {blank && draft.title.trim() === '' ? (
        <Text c="dimmed">{t('previewEmpty')}</Text>
      ) : (
        <AnnouncementCard
          announcement={{ ...draft, title: draft.title.trim() || t('titleLabel'), content: shown }}
        />
      )}
      {!blank && preview.isError && (
        <Text component="div" mt="xs">
          {hasStatus(preview.error, 400) ? t('contentBlank') : <FailureAlert error={preview.error} />}
        </Text>
      )}
    </section>
  );
}

const RichEditor = lazy(() => import('./RichEditor.tsx'));

const monospace = {
  fontFamily: 'var(--mantine-font-family-monospace)',
  fontSize: 'var(--mantine-font-size-sm)',
};

interface ContentFieldProps {
  readonly value: string;
  readonly onChange: (html: string) => void;
  readonly error?: string;
  readonly onLinkBox: (opened: boolean) => void;
}

function ContentField({ value, onChange, error, onLinkBox }: ContentFieldProps) {
  const t = useTexts(texts);
  const [mode, setMode] = useState<'editor' | 'html'>(isSupportedByEditor(value) ? 'editor' : 'html');
  // When the user switches from HTML to the editor, the server first sanitises the HTML.
  const sanitise = useMutationOf('previewAnnouncement', {
    onSuccess: ({ content }) => {
      onChange(content);
      if (isSupportedByEditor(content)) setMode('editor');
    },
    onError: useFailureNotice({ 400: t('contentBlank') }),
  });
  const choose = (next: string) => {
    if (next === 'html') setMode('html');
    else if (isBlankHtml(value)) {
      onChange('');
      setMode('editor');
    } else sanitise.mutate({ body: { content: value } });
  };
  const holdsTable = mode === 'html' && !isSupportedByEditor(value);
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={6} gap="xs">
        <Input.Label component="div">{t('contentLabel')}</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={t('modeLabel')}
          value={mode}
          onChange={choose}
          data={[
            { value: 'editor', label: t('modeEditor'), disabled: holdsTable || sanitise.isPending },
            { value: 'html', label: t('modeHtml') },
          ]}
        />
      </Group>
      {mode === 'editor' ? (
        <LazyBoundary fallback={<LoadingRows rows={1} height={248} />}>
          <RichEditor
            initialHtml={value}
            onChange={onChange}
            label={t('contentLabel')}
            invalid={Boolean(error)}
            onLinkBox={onLinkBox}
          />
        </LazyBoundary>
      ) : (
        <Textarea
          aria-label={t('contentLabel')}
          description={holdsTable ? `${t('hasTable')} ${t('htmlHint')}` : t('htmlHint')}
          inputWrapperOrder={['input', 'description']}
          styles={{ input: monospace }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={10}
          maxRows={20}
          spellCheck={false}
          autoCapitalize="none"
          error={Boolean(error)}
        />
      )}
      {error && (
        <Input.Error mt={6} role="alert" data-fault tabIndex={-1}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}
