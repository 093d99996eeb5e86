import type { ScoreLog } from '@classledger/contract';
import { ActionIcon, Group } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { NoteButton } from './NoteButton.tsx';
import type { NotedRecord } from './NoteDialog.tsx';

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
