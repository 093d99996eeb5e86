import { ActionIcon } from '@mantine/core';
import { IconNote, IconNotes } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { NoteDialog } from '../../notes/NoteDialog.tsx';
import type { PointsEntry } from '../../outbox/entry.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useScoring } from './board-context.ts';
import { texts } from './texts.ts';

export function PointsNoteButton({ entry, what }: { readonly entry: PointsEntry; readonly what: string }) {
  const t = useTexts(texts);
  const offered = useIsToolEnabled('notes');
  const [open, setOpen] = useState(false);
  const { queue } = useScoring();
  const { note = null, teamIds } = entry;
  // Offers no note for teams: ids of team records may equal ids of student records.
  if (!offered || teamIds || entry.state !== 'done' || entry.logIds.length === 0) return null;
  const Shown = note === null ? IconNote : IconNotes;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={note === null ? 'gray' : 'teal'}
        size={40}
        aria-label={t('notePoints', { what })}
        title={note ?? t('notePoints', { what })}
        onClick={() => setOpen(true)}
      >
        <Shown aria-hidden size={18} />
      </ActionIcon>
      <NoteDialog
        of={open ? { ids: entry.logIds, note } : null}
        onClose={() => setOpen(false)}
        onSaved={(saved) => queue.setNote(entry.key, saved)}
      />
    </>
  );
}
