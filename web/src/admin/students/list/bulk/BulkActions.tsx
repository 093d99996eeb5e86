import type { ListedStudent } from '@classledger/contract';
import { Button, Checkbox, Menu, Text } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../../components/Hint.tsx';
import { SelectionBar } from '../../../../components/list/SelectionBar.tsx';
import type { useSelection } from '../../../../components/list/use-selection.ts';
import { useForm } from '../../../../components/use-form.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { ManagedClassPicker } from '../../../ManagedClassPicker.tsx';
import { useMe } from '../../../me.ts';
import { useSchool } from '../../../school.tsx';
import { texts } from '../../actions/texts.ts';
import { BulkRunDialog } from './BulkRunDialog.tsx';
import type { BulkAction, BulkKind } from './bulk-run.ts';

const wordsOf = {
  move: { title: 'bulkMove', confirm: 'moveConfirm', text: 'moveText' },
  disable: { title: 'bulkDisable', confirm: 'disable', text: 'bulkDisableText' },
  enable: { title: 'bulkEnable', confirm: 'enable', text: 'bulkEnableText' },
  resetPasswords: { title: 'bulkReset', confirm: 'resetPassword', text: 'bulkResetText' },
  delete: { title: 'bulkDelete', confirm: 'delete', text: 'deleteRecords' },
} as const;

interface BulkActionsProps {
  readonly selection: ReturnType<typeof useSelection<ListedStudent>>;
  /** The change about which the user is asked, once all selected students are known. */
  readonly kind: BulkKind | null;
  readonly onKind: (kind: BulkKind | null) => void;
}

export function BulkActions({ selection, kind: asked, onKind }: BulkActionsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { rows: students, count, selectingAll } = selection;
  const [action, setAction] = useState<BulkAction | null>(null);
  const [classId, setClassId] = useState<number | null>(null);
  const [onlyInitial, setOnlyInitial] = useState(false);
  // Keeps the kind, so that the dialog still shows its question while it closes.
  const [kind, setKind] = useState<BulkKind>('move');
  if (asked !== null && asked !== kind) setKind(asked);
  // If no student has an own password, still keeps own ones: a student may set one while the dialog is open.
  const someHaveOwn = students.some(({ passwordState }) => passwordState === 'own');
  const start = () => setAction({ kind, students, classId, onlyInitial: onlyInitial || !someHaveOwn });
  const moving = useForm({ class: classId === null && t('chooseClass') }, start);
  const records = students.reduce((sum, { scoreCount }) => sum + scoreCount, 0);
  const words = wordsOf[kind];
  const [title, confirmLabel] = [t(words.title, { count }), t(words.confirm)];
  return (
    <>
      {count > 0 && <BulkBar selection={selection} onChoose={onKind} />}
      <ConfirmDialog
        opened={asked !== null && !selectingAll && !action}
        onClose={() => onKind(null)}
        title={title}
        confirmLabel={confirmLabel}
        {...(kind === 'delete' && { danger: true, typedText: String(count) })}
        onConfirm={kind === 'move' ? moving.submit : start}
      >
        {kind === 'move' && (
          <ManagedClassPicker
            schoolDb={schoolDb}
            value={classId}
            onChange={setClassId}
            withLabel
            error={moving.shown.class}
          />
        )}
        <Text size="sm">{t(words.text, { count: records })}</Text>
        {kind === 'resetPasswords' && someHaveOwn && (
          <Checkbox
            label={t('onlyInitial')}
            checked={onlyInitial}
            onChange={(event) => setOnlyInitial(event.currentTarget.checked)}
          />
        )}
        {kind === 'delete' && <Hint>{t('deleteInstead')}</Hint>}
      </ConfirmDialog>
      {action && (
        <BulkRunDialog
          action={action}
          title={kind === 'move' ? title : confirmLabel}
          onClose={(left) => {
            setAction(null);
            onKind(null);
            selection.replace(left);
          }}
        />
      )}
    </>
  );
}

interface BulkBarProps extends Pick<BulkActionsProps, 'selection'> {
  readonly onChoose: (kind: BulkKind) => void;
}

function BulkBar({ selection, onChoose }: BulkBarProps) {
  const t = useTexts(texts);
  const { classId } = useMe();
  const { rows, selectingAll } = selection;
  const offers: readonly { readonly kind: BulkKind; readonly label: string; readonly color?: string }[] = [
    ...(classId === null ? [{ kind: 'move', label: t('move') } as const] : []),
    ...(rows.some(({ disabled }) => !disabled) ? [{ kind: 'disable', label: t('disable') } as const] : []),
    ...(rows.some(({ disabled }) => disabled) ? [{ kind: 'enable', label: t('enable') } as const] : []),
    { kind: 'resetPasswords', label: t('resetPassword') },
    { kind: 'delete', label: t('delete'), color: 'red' },
  ];
  return (
    <SelectionBar label={t('selection')} selection={selection}>
      <Menu position="top-end">
        <Menu.Target>
          <Button
            hiddenFrom="lg"
            disabled={selectingAll}
            rightSection={<IconChevronUp aria-hidden size={16} />}
          >
            {t('actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offers.map(({ kind, label, ...style }) => (
            <Menu.Item key={kind} onClick={() => onChoose(kind)} {...style}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {offers.map(({ kind, label, color }) => (
        <Button
          key={kind}
          visibleFrom="lg"
          disabled={selectingAll}
          onClick={() => onChoose(kind)}
          {...(color ? { color, variant: 'light' } : { variant: 'default' })}
        >
          {label}
        </Button>
      ))}
    </SelectionBar>
  );
}
