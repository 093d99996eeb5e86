import type { ListedStudent } from '@classledger/contract';
import { Button, Menu } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { SelectionBar } from '../../../../components/list/SelectionBar.tsx';
import type { useSelection } from '../../../../components/list/use-selection.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useMe } from '../../../me.ts';
import { texts as actionTexts } from '../../actions/texts.ts';
import { texts } from '../../texts.ts';
import type { BulkKind } from './bulk-run.ts';

interface BulkBarProps {
  readonly selection: ReturnType<typeof useSelection<ListedStudent>>;
  readonly total: number;
  readonly onChoose: (kind: BulkKind) => void;
}

export function BulkBar({ selection, total, onChoose }: BulkBarProps) {
  const t = useTexts(texts);
  const a = useTexts(actionTexts);
  const { classId } = useMe();
  const { rows, count, selectingAll, selectAll, selectNone } = selection;
  const offers: readonly { readonly kind: BulkKind; readonly label: string; readonly color?: string }[] = [
    ...(classId === null ? [{ kind: 'move', label: a('move') } as const] : []),
    ...(rows.some(({ disabled }) => !disabled) ? [{ kind: 'disable', label: t('disable') } as const] : []),
    ...(rows.some(({ disabled }) => disabled) ? [{ kind: 'enable', label: t('enable') } as const] : []),
    { kind: 'resetPasswords', label: a('resetPassword') },
    { kind: 'delete', label: t('delete'), color: 'red' },
  ];
  return (
    <SelectionBar
      label={t('selection')}
      count={count}
      total={total}
      selectingAll={selectingAll}
      onSelectAll={selectAll}
      onClear={selectNone}
    >
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
