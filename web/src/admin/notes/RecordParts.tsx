import type { Author, ScoreLog } from '@classledger/contract';
import { ActionIcon, Group, Text } from '@mantine/core';
import { type Icon, IconArrowBackUp, IconNote } from '@tabler/icons-react';
import { useCallback } from 'react';
import { isPseudonym } from '../../components/student-names.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useManages, useMe } from '../me.ts';
import { type RenderDialog, useOpenDialog } from '../page/dialogs.tsx';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';
import { NoteDialog } from './NoteDialog.tsx';
import { RevokeRecordsDialog } from './RevokeRecordsDialog.tsx';
import { texts } from './texts.ts';

export function useAuthorText(): (author: Author | null) => string {
  const t = useTexts(texts);
  return (author) => {
    if (!author?.name) return t('unknownAuthor');
    return author.type === 'credential' ? t('byCredential', { name: author.name }) : author.name;
  };
}

function NoteText({ note }: { readonly note: string | null }) {
  const t = useTexts(texts);
  if (note === null) return null;
  return (
    <Text
      component="span"
      size="sm"
      c="dimmed"
      display="flex"
      style={{ alignItems: 'flex-start', gap: 5, overflowWrap: 'anywhere' }}
    >
      <IconNote aria-hidden size={15} style={{ flex: 'none', marginTop: 3 }} />
      <span className="visually-hidden">{t('note')}</span>
      <span>{note}</span>
    </Text>
  );
}

/** Shows the reason of a record, or why it has none, and the note. */
export function RecordReason({ record }: { readonly record: ScoreLog }) {
  const t = useTexts(texts);
  const { description, note } = record;
  // Erasing a student's personal data also erases the reasons.
  const missing = t(isPseudonym(record) ? 'erased' : 'noReason');
  return (
    <>
      <Text span inherit style={{ overflowWrap: 'anywhere' }} {...(description === '' && { c: 'dimmed' })}>
        {description || missing}
      </Text>
      <NoteText note={note} />
    </>
  );
}

/** Returns a function that tells whether somebody may change a record: in a class that they only teach, only own ones. */
export function useMayChangeRecord(): (record: ScoreLog) => boolean {
  const { id } = useMe();
  const manages = useManages();
  return useCallback(
    ({ author, classId, gradeId }) =>
      (author?.type === 'admin' && author.id === id) || manages({ id: classId, gradeId }),
    [id, manages],
  );
}

interface RecordActionsProps {
  readonly record: ScoreLog;
  readonly onRevoked?: (ids: readonly number[]) => void;
}

export function RecordActions({ record, onRevoked }: RecordActionsProps) {
  const { id, note } = record;
  const t = useTexts(texts);
  const open = useOpenDialog();
  const hasNotes = useIsToolEnabled('notes');
  const mayChange = useMayChangeRecord();
  if (!mayChange(record)) return null;
  const button = (label: string, Shown: Icon, dialog: RenderDialog) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => open(dialog)}
    >
      <Shown aria-hidden size={18} />
    </ActionIcon>
  );
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {hasNotes &&
        button(t(note === null ? 'addNote' : 'changeNote'), IconNote, (dialog) => (
          <NoteDialog {...dialog} ids={[id]} note={note} />
        ))}
      {button(t('undo'), IconArrowBackUp, (dialog) => (
        <RevokeRecordsDialog {...dialog} records={[record]} onRevoked={onRevoked} />
      ))}
    </Group>
  );
}
