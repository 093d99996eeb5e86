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
import type { BulkAction, BulkKind } from './bulk-kinds.ts';

interface BulkDialogsProps {
  readonly kind: BulkKind | null;
  readonly students: readonly ListedStudent[];
  /** Called with the students who were not changed. */
  readonly onClose: (left: readonly ListedStudent[]) => void;
}

export function BulkDialogs({ kind, students, onClose }: BulkDialogsProps) {
  const [order, setOrder] = useState<BulkAction | null>(null);
  const close = (left: readonly ListedStudent[]) => {
    setOrder(null);
    onClose(left);
  };
  return (
    <>
      <Confirmation
        kind={order ? null : kind}
        students={students}
        onCancel={() => onClose(students)}
        onOrder={setOrder}
      />
      {order && <BulkRunDialog order={order} onClose={close} />}
    </>
  );
}

interface QuestionProps {
  readonly kind: BulkKind | null;
  readonly students: readonly ListedStudent[];
  readonly onCancel: () => void;
  readonly onOrder: (order: BulkAction) => void;
}

function Confirmation({ kind, students, onCancel, onOrder }: QuestionProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [classId, setClassId] = useState<number | null>(null);
  const [onlyInitial, setOnlyInitial] = useState(false);
  // If no student has an own password, still keeps own ones: a student may set one while the dialog is open.
  const someHaveOwn = students.some(({ passwordState }) => passwordState === 'own');
  const keepsOwn = onlyInitial || !someHaveOwn;
  const { submit, shown } = useForm({ class: classId === null && t('chooseClass') }, () =>
    onOrder({ kind: 'move', students, classId, onlyInitial: keepsOwn }),
  );
  const count = students.length;
  const records = students.reduce((sum, { scoreCount }) => sum + scoreCount, 0);
  const ask = (one: BulkKind) => ({
    opened: kind === one,
    onClose: onCancel,
    onConfirm: () => onOrder({ kind: one, students, classId, onlyInitial: keepsOwn }),
  });
  return (
    <>
      <ConfirmDialog
        {...ask('move')}
        title={t('bulkMove', { count })}
        confirmLabel={t('moveConfirm')}
        onConfirm={submit}
      >
        <ClassPicker
          schoolDb={schoolDb}
          value={classId}
          onChange={setClassId}
          withLabel
          error={shown.class}
        />
        <Text size="sm">{t('moveText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog {...ask('disable')} title={t('bulkDisable', { count })} confirmLabel={t('disable')}>
        <Text size="sm">{t('bulkDisableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog {...ask('enable')} title={t('bulkEnable', { count })} confirmLabel={t('enable')}>
        <Text size="sm">{t('bulkEnableText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        {...ask('resetPasswords')}
        title={t('bulkReset', { count })}
        confirmLabel={t('resetConfirm')}
      >
        <Text size="sm">{t('bulkResetText')}</Text>
        {someHaveOwn && (
          <Checkbox
            label={t('onlyInitial')}
            checked={onlyInitial}
            onChange={(event) => setOnlyInitial(event.currentTarget.checked)}
          />
        )}
      </ConfirmDialog>
      <ConfirmDialog
        {...ask('delete')}
        title={t('bulkDelete', { count })}
        confirmLabel={t('delete')}
        danger
        typedText={String(count)}
      >
        <Text size="sm">{t('deleteRecords', { count: records })}</Text>
        <Text size="sm" c="dimmed">
          {t('deleteInstead')}
        </Text>
      </ConfirmDialog>
    </>
  );
}
