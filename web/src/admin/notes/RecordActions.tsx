import type { ScoreLog } from '@classledger/contract';
import { ActionIcon, Group } from '@mantine/core';
import { IconArrowBackUp, IconNote } from '@tabler/icons-react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useIsToolEnabled } from '../use-is-tool-enabled.ts';
import type { NotedRecord } from './NoteDialog.tsx';
import { texts } from './texts.ts';

interface RecordActionsProps {
  readonly record: ScoreLog;
  readonly onNote: (of: NotedRecord) => void;
  readonly onRevoke: () => void;
}

export function RecordActions({ record, onNote, onRevoke }: RecordActionsProps) {
  const c = useTexts(commonTexts);
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <NoteButton record={record} onOpen={onNote} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={c('undo')}
        title={c('undo')}
        onClick={onRevoke}
      >
        <IconArrowBackUp aria-hidden size={18} />
      </ActionIcon>
    </Group>
  );
}

interface NoteButtonProps {
  readonly record: Pick<ScoreLog, 'id' | 'note'>;
  readonly onOpen: (of: NotedRecord) => void;
}

function NoteButton({ record, onOpen }: NoteButtonProps) {
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
