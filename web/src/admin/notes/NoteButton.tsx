import type { ScoreLog } from '@classledger/contract';
import { ActionIcon } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';
import type { NotedRecord } from './NoteDialog.tsx';
import { texts } from './texts.ts';

interface NoteButtonProps {
  readonly record: Pick<ScoreLog, 'id' | 'note'>;
  readonly onOpen: (of: NotedRecord) => void;
}

export function NoteButton({ record, onOpen }: NoteButtonProps) {
  const t = useTexts(texts);
  if (!useIsToolEnabled('notes')) return null;
  const label = t(record.note === null ? 'addNote' : 'changeNote');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => onOpen({ ids: [record.id], note: record.note })}
    >
      <IconNote aria-hidden size={18} />
    </ActionIcon>
  );
}
