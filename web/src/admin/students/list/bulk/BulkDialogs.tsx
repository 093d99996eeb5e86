import type { ListedStudent } from '@classledger/contract';
import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../../components/ConfirmDialog.tsx';
import { ClassPicker } from '../../../../components/StructurePickers.tsx';
import { useForm } from '../../../../components/use-form.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { texts } from '../../actions/texts.ts';
import { BulkRunDialog } from './BulkRunDialog.tsx';
import type { BulkAction, BulkKind } from './bulk-run.ts';

interface BulkDialogsProps {
  readonly kind: BulkKind | null;
  readonly students: readonly ListedStudent[];
  /** Called with the students who were not changed. */
  readonly onClose: (left: readonly ListedStudent[]) => void;
}

/** Asks before a change of several students, and then shows its progress. */
export function BulkDialogs({ kind: asked, students, onClose }: BulkDialogsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [action, setAction] = useState<BulkAction | null>(null);
  const [classId, setClassId] = useState<number | null>(null);
  const [onlyInitial, setOnlyInitial] = useState(false);
  // Keeps the kind, so that the dialog still shows its question while it closes.
  const [kind, setKind] = useState<BulkKind>('move');
  if (asked !== null && asked !== kind) setKind(asked);
  const count = students.length;
  // If no student has an own password, still keeps own ones: a student may set one while the dialog is open.
  const someHaveOwn = students.some(({ passwordState }) => passwordState === 'own');
  const start = () => setAction({ kind, students, classId, onlyInitial: onlyInitial || !someHaveOwn });
  const moving = useForm({ class: classId === null && t('chooseClass') }, start);
  const records = students.reduce((sum, { scoreCount }) => sum + scoreCount, 0);
  const { title, confirmLabel, text } = {
    move: { title: t('bulkMove', { count }), confirmLabel: t('moveConfirm'), text: t('moveText') },
    disable: { title: t('bulkDisable', { count }), confirmLabel: t('disable'), text: t('bulkDisableText') },
    enable: { title: t('bulkEnable', { count }), confirmLabel: t('enable'), text: t('bulkEnableText') },
    resetPasswords: {
      title: t('bulkReset', { count }),
      confirmLabel: t('resetConfirm'),
      text: t('bulkResetText'),
    },
    delete: {
      title: t('bulkDelete', { count }),
      confirmLabel: t('delete'),
      text: t('deleteRecords', { count: records }),
    },
  }[kind];
  return (
    <>
      <ConfirmDialog
        opened={asked !== null && !action}
        onClose={() => onClose(students)}
        title={title}
        confirmLabel={confirmLabel}
        {...(kind === 'delete' && { danger: true, typedText: String(count) })}
        onConfirm={kind === 'move' ? moving.submit : start}
      >
        {kind === 'move' && (
          <ClassPicker
            schoolDb={schoolDb}
            value={classId}
            onChange={setClassId}
            withLabel
            error={moving.shown.class}
          />
        )}
        <Text size="sm">{text}</Text>
        {kind === 'resetPasswords' && someHaveOwn && (
          <Checkbox
            label={t('onlyInitial')}
            checked={onlyInitial}
            onChange={(event) => setOnlyInitial(event.currentTarget.checked)}
          />
        )}
        {kind === 'delete' && (
          <Text size="sm" c="dimmed">
            {t('deleteInstead')}
          </Text>
        )}
      </ConfirmDialog>
      {action && (
        <BulkRunDialog
          action={action}
          onClose={(left) => {
            setAction(null);
            onClose(left);
          }}
        />
      )}
    </>
  );
}
